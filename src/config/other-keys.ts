/** Keys of the documents that Miracle grew from, and what stands for them here. */
const ELSEWHERE: Record<string, string> = {
  max_iterations: "here it is limits.maxIterations",
  log_level: "here it is logging.level",
  models: "here it is roles, each with its models, or model for all",
  orchestrator: "here it is limits: maxIterations, warnAtIteration",
  "safety.block_operations": "here it is safety.code: strict, or safety.code.rules",
  checkpoint: "there is none: every step is a checkpoint",
  checkpoint_frequency: "there is none: every step is a checkpoint",
};

/** ` (here it is …)` for a key that others have at the top of a file; undefined for any other one. */
export const otherKey = (key: string): string | undefined =>
  Object.hasOwn(ELSEWHERE, key) ? ` (${ELSEWHERE[key]})` : undefined;
