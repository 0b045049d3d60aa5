import { z } from "zod";
import { RecordedAnswer } from "../../domain/approval.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { RemovedTests } from "../../domain/evidence/removed-tests.ts";
import { TidiedTests } from "../../domain/evidence/tidied-tests.ts";
import { Iteration } from "../../domain/loop/iteration.ts";
import { ReviewFinding, ReviewRole, ReviewRuling } from "../../domain/loop/review.ts";
import { ModelAnswer, Role } from "../../domain/message.ts";
import { Spec } from "../../domain/plan/spec.ts";
import type { Step } from "../../domain/task/step.ts";
import { delivererOf, isTaskStep, nameOf, TASK_STRAND, todoOfStrand } from "../../domain/task/step-path.ts";
import { TaskOutcome } from "../../domain/task/task.ts";
import { newestSteps } from "../../journal/fork.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { unpack } from "../../journal/pack.ts";
import type { Recording } from "../../journal/recording.ts";

type Review = NonNullable<EvidenceDocument["reviews"]>[number];

/** What the journal says of a task, from its first step to its last. */
export interface RecordedTask {
  /** When its last step ended; 0 before the first. */
  at: number;
  /** The person's directory as it was found. */
  baseTree: string | null;
  /** As it was changed last. */
  spec: Spec | null;
  evidence: GatheredEvidence | null;
  /** Null of a task that has not ended. */
  outcome: TaskOutcome | null;
  /** Answered calls; a fork has the first ones from its parent, which paid for them. */
  calls: { role: Role; model: string; tokens: number; micros: number | null; inherited: boolean }[];
  iterations: number;
  approvals: EvidenceDocument["approvals"];
  /** The last word of each reader on each todo. */
  reviews: Review[];
  /** Where the tests stand in what is delivered; null of a task that never came so far. */
  tidied: TidiedTests | null;
  removed: RemovedTests | null;
}

/**
 * The steps of the task itself, in the order of recording. What a person does with the result later (`apply`, `undo`)
 * has strands of its own and is no part of the evidence.
 */
export const stepsOfTask = async (recording: Recording): Promise<Step[]> =>
  (await newestSteps(recording)).filter(({ strand }) => strand === TASK_STRAND || delivererOf(strand) === null);

const Surveyed = z.object({ tree: z.string(), base: z.string().optional() });
const Planned = z.lazy(() => z.object({ spec: Spec }));
const Kept = z.lazy(() => z.object({ evidence: GatheredEvidence.nullable() }));
const Asked = z.object({ role: Role });
/** Null of a phase of the task itself. */
const Phase = z.object({ iteration: Iteration.optional() }).nullable();
const Reviewed = z.lazy(() => z.object({ role: ReviewRole, ruling: ReviewRuling, findings: z.array(ReviewFinding) }));

export async function recordedTask(recording: Recording, { fork }: Frozen): Promise<RecordedTask> {
  const steps = await stepsOfTask(recording);
  const task: RecordedTask = {
    at: Math.max(0, ...steps.map(({ endedAt }) => endedAt)),
    baseTree: null,
    spec: null,
    evidence: null,
    outcome: null,
    calls: [],
    iterations: 0,
    approvals: [],
    reviews: [],
    tidied: null,
    removed: null,
  };
  const reviews = new Map<string, Review>();
  const read = (hash: string) => unpack(hash, (wanted) => recording.blob(wanted));
  for (const step of steps.filter(({ outcome }) => outcome === "ok")) {
    const input = () => read(step.inputHash);
    const output = () => read(step.outputHash);
    if (step.kind === "model") {
      const { role } = Asked.parse(await input());
      const { model, usage } = ModelAnswer.parse(await output());
      const tokens = usage.inputTokens + usage.outputTokens;
      const inherited = step.sequence < (fork?.steps ?? 0);
      task.calls.push({ role, model, tokens, micros: usage.costMicros, inherited });
    }
    if (isTaskStep(step.path, "survey")) {
      const { tree, base } = Surveyed.parse(await output());
      task.baseTree = base ?? tree;
    }
    if (step.kind === "decision" && ["plan-made", "plan-updated"].includes(nameOf(step.path))) {
      task.spec = Planned.parse(await input()).spec;
    }
    if (isTaskStep(step.path, "evidence")) task.evidence = Kept.parse(await input()).evidence ?? task.evidence;
    if (isTaskStep(step.path, "tidy-tests")) task.tidied = TidiedTests.parse(await output());
    if (isTaskStep(step.path, "remove-obsolete")) task.removed = RemovedTests.parse(await output());
    if (isTaskStep(step.path, "settle")) task.outcome = TaskOutcome.parse(await output());
    if (step.kind === "checkpoint" && nameOf(step.path) === "phase") {
      if (Phase.parse(await output())?.iteration) task.iterations += 1;
    }
    if (step.kind === "decision" && isQuestion(nameOf(step.path))) {
      const { request, ...answer } = RecordedAnswer.parse(await output());
      task.approvals.push({ request, answer });
    }
    if (step.kind === "decision" && nameOf(step.path) === "reviewed") {
      const todo = todoOfStrand(step.strand);
      const { role, ruling, findings } = Reviewed.parse(await input());
      reviews.set(`${todo ?? ""} ${role}`, { role, ...(todo !== undefined && { todo }), ruling, findings });
    }
  }
  return { ...task, reviews: [...reviews.values()] };
}

const isQuestion = (name: string): boolean => ["approval", "question", "confirm-plan", "confirm-diff"].includes(name);
