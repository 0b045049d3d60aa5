import type { ConfigFlags } from "../config/flags.ts";
import { NO_LIMIT } from "../config/parse-setting.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { TaskRequest } from "../domain/task/task.ts";

/** What a task was asked with, as the flags that say it; its models are taken from it anyway. */
export function flagsAsBefore(
  { limits, effort, direct, accept, mutationScore, clarify, architect, review, audit, ...others }: Settings,
  { apply, keepTests }: Pick<TaskRequest, "apply" | "keepTests">,
): ConfigFlags & { apply?: boolean; keepTests?: boolean } {
  const { confirm, writeScope, sandbox, safety, memory } = others;
  const { maxCostMicros, maxTokens, maxIterations, maxTurns, parallel, timeoutMs } = limits;
  return {
    effort,
    direct,
    accept,
    ...(mutationScore !== null && { mutationScore }),
    clarify,
    architect,
    review,
    audit,
    maxCost: maxCostMicros === null ? NO_LIMIT : maxCostMicros / 1_000_000,
    ...(maxTokens !== null && { maxTokens }),
    maxIterations,
    maxTurns,
    parallel,
    timeout: `${timeoutMs}ms`,
    confirm,
    writeScope,
    sandbox: sandbox.backend,
    approve: safety.approve,
    wait: safety.unanswered === "wait",
    ...(!memory.use && { memory: false }),
    ...(!apply && { apply }),
    ...(keepTests && { keepTests }),
  };
}
