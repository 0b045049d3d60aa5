import { z } from "zod";
import { ApprovalAnswer, ApprovalRequest, ApprovalSubject } from "../approval.ts";
import { GatheredEvidence } from "../evidence/gathered-evidence.ts";
import { ReplacedTest } from "../evidence/replaced-test.ts";
import { RunEnding } from "../evidence/test-report.ts";
import { Failure } from "../failure.ts";
import { Iteration } from "../loop/iteration.ts";
import { ReviewFinding, ReviewRole, ReviewRuling } from "../loop/review.ts";
import { MemoryKind } from "../memory/memory-record.ts";
import { Role, Usage } from "../message.ts";
import { ContractEdit } from "../plan/amend-contract.ts";
import { Amendment, ToldMessage } from "../plan/amendment.ts";
import { BranchTodo } from "../plan/branch.ts";
import { Candidate } from "../plan/candidate.ts";
import { Contract } from "../plan/contract.ts";
import { Plan } from "../plan/plan.ts";
import { PlanChanges } from "../plan/plan-changes.ts";
import { Spec } from "../plan/spec.ts";
import { TaskOutcome } from "./task.ts";

const Counts = z.lazy(() => z.object({ passed: z.int(), red: z.int(), skipped: z.int() }));

const RecalledRecord = z.lazy(() => z.object({ id: z.string(), tokens: z.int() }));

/** What happened. This union is the whole interface of the engine to every view, log and program that follows it. */
export const EventBody = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("task-started"), goal: z.string(), directory: z.string(), baseTree: z.string() }),
    z.object({ type: z.literal("phase-changed"), phase: z.string(), todo: z.string().optional(), iteration: z.int() }),
    z.object({
      type: z.literal("plan-made"),
      size: z.string(),
      spec: Spec,
      plan: Plan,
      relevantFiles: z.array(z.string()).optional(),
    }),
    z.object({ type: z.literal("message-told"), message: ToldMessage }),
    z.object({ type: z.literal("message-heard"), message: ToldMessage }),
    z.object({
      type: z.literal("plan-updated"),
      /** In one line, by the planner; or the person's words. */
      why: z.string(),
      /** Where a person's message was the reason. */
      amendment: Amendment.optional(),
      changes: PlanChanges,
      /** As they are now. */
      size: z.string(),
      spec: Spec,
      plan: Plan,
    }),
    z.object({ type: z.literal("contract-made"), contract: Contract, design: z.string() }),
    z.object({
      type: z.literal("contract-amended"),
      contract: Contract,
      edits: z.array(ContractEdit),
      reason: z.string(),
    }),
    z.object({
      type: z.literal("goal-clarified"),
      goal: z.string(),
      /** An empty answer leaves the assumption standing. */
      asked: z.array(z.object({ question: z.string(), assumption: z.string(), answer: z.string() })),
    }),
    /** A role that was asked alone; the result has the form that the role always answers in. */
    z.object({ type: z.literal("role-answered"), role: Role, result: z.unknown() }),
    z.object({ type: z.literal("baseline-run"), counts: Counts, red: z.array(z.string()) }),
    z.object({
      type: z.literal("tests-written"),
      /** Those the coder sees. */
      files: z.array(z.string()),
      tests: z.int(),
      /** How many it does not see. */
      heldOut: z.int().optional(),
    }),
    /** Tests of the result stand where the project keeps its own; of those that the coder did not see, so many could. */
    z.object({
      type: z.literal("tests-tidied"),
      moved: z.array(z.object({ from: z.string(), to: z.string() })),
      more: z.int(),
    }),
    /** Obsolete tests were red on the result: those that it is delivered without, and those that stay and are red. */
    z.object({ type: z.literal("obsolete-removed"), removed: z.array(z.string()), red: z.array(z.string()) }),
    z.object({
      type: z.literal("model-called"),
      role: Role,
      model: z.string(),
      attempts: z.int(),
      usage: Usage,
      durationMs: z.number(),
    }),
    z.object({
      type: z.literal("tool-called"),
      tool: z.string(),
      /** One short line: the path, the command, the pattern. */
      subject: z.string(),
      ok: z.boolean(),
      durationMs: z.number(),
    }),
    z.object({
      type: z.literal("tests-run"),
      /**
       * `red-check`: new tests before the change; `visible`: the coder's own runs; `accept`: one command of the person's;
       * `held-out`: tests the coder does not see, of which nothing but the numbers is told.
       */
      scope: z.enum(["red-check", "visible", "suite", "gate", "accept", "held-out"]),
      command: z.string().optional(),
      counts: Counts,
      passed: z.boolean(),
      /** A limit that was hit is no red test. */
      ending: RunEnding.optional(),
      red: z.array(z.object({ id: z.string(), message: z.string() })),
      /** How many of the red ones are not held against the change: obsolete by the goal, or red before it. */
      excused: z.object({ obsolete: z.int(), before: z.int() }).optional(),
      durationMs: z.number(),
    }),
    /** Of the changed lines that do something, those that a test runs; null when there are none, or nothing is known. */
    z.object({ type: z.literal("coverage-measured"), share: z.number().nullable() }),
    z.object({ type: z.literal("evidence-gathered"), evidence: GatheredEvidence }),
    z.object({ type: z.literal("iteration-settled"), iteration: Iteration }),
    z.object({ type: z.literal("warning-raised"), code: z.string(), message: z.string() }),
    z.object({
      type: z.literal("network-refused"),
      host: z.string(),
      port: z.int(),
      method: z.string(),
      reason: z.string(),
    }),
    z.object({
      type: z.literal("safety-refused"),
      /** What was not executed, and who said no: the rules, the person's own program, or an answer. */
      what: z.enum(["command", "code", "hook", "approval"]),
      /** One short line: the command, the paths, the tool. */
      subject: z.string(),
      reasons: z.array(z.object({ rule: z.string(), message: z.string() })),
    }),
    z.object({ type: z.literal("approval-requested"), request: ApprovalRequest }),
    z.object({
      type: z.literal("approval-answered"),
      id: z.string(),
      subject: ApprovalSubject,
      question: z.string(),
      answer: ApprovalAnswer,
    }),
    z.object({
      type: z.literal("change-reviewed"),
      role: ReviewRole,
      todo: z.string().optional(),
      iteration: z.int(),
      ruling: ReviewRuling,
      findings: z.array(ReviewFinding),
    }),
    z.object({
      type: z.literal("dispute-settled"),
      test: z.string(),
      requirement: z.string(),
      ruling: z.enum(["upheld", "void"]),
      quote: z.string(),
      reason: z.string(),
    }),
    z.object({
      type: z.literal("memory-recalled"),
      todo: z.string(),
      /** The iteration that it reaches. */
      iteration: z.int(),
      /** What it was looked for by. */
      cause: z.enum(["goal", "error"]),
      shown: z.array(RecalledRecord),
      /** Found and kept from this task, as controls. */
      heldBack: z.array(RecalledRecord),
      tokens: z.int(),
    }),
    z.object({
      type: z.literal("memory-kept"),
      records: z.array(z.object({ id: z.string(), kind: MemoryKind, isNew: z.boolean() })),
    }),
    z.object({ type: z.literal("todo-branched"), branch: BranchTodo }),
    z.object({ type: z.literal("test-replaced"), todo: z.string(), replaced: ReplacedTest }),
    z.object({
      type: z.literal("candidate-chosen"),
      todo: z.string(),
      chosen: z.int(),
      candidates: z.array(Candidate),
    }),
    z.object({ type: z.literal("todo-settled"), todo: z.string(), ok: z.boolean(), failure: Failure.optional() }),
    z.object({
      type: z.literal("change-applied"),
      files: z.array(z.string()),
      directory: z.string(),
      /** On it, and not among the files. */
      branch: z.string().optional(),
    }),
    z.object({
      type: z.literal("change-undone"),
      files: z.array(z.string()),
      /** Those of them that the change had added: they are gone. */
      removed: z.array(z.string()).optional(),
      directory: z.string(),
      branch: z.string().optional(),
    }),
    z.object({
      type: z.literal("task-paused"),
      reason: z.string(),
      /** How long the run was that ended so. */
      ranMs: z.int().nonnegative().optional(),
    }),
    z.object({ type: z.literal("task-settled"), outcome: TaskOutcome }),
  ]),
);
export type EventBody = z.infer<typeof EventBody>;

/** An event as it is stored and shown: numbered per task, with the path of the step that caused it. */
export const Event = z.lazy(() =>
  z.intersection(z.object({ task: z.string(), number: z.int(), at: z.int(), step: z.string() }), EventBody),
);
export type Event = z.infer<typeof Event>;
