import { z } from "zod";
import { ReviewFinding } from "../domain/loop/review.ts";
import { ContractEdit } from "../domain/plan/amend-contract.ts";
import { BranchReason } from "../domain/plan/branch.ts";
import { Contract } from "../domain/plan/contract.ts";
import { GoalSize, Metric, Todo } from "../domain/plan/plan.ts";
import { GoalKind, LanguageName, Requirement, Superseded } from "../domain/plan/spec.ts";
import { TestFile } from "../domain/plan/test-file.ts";

/*
 * Every role ends by calling `finish` with arguments of its schema. So a structured answer is an ordinary tool call. It
 * works with every model that can call tools, and the model reads its mistakes as the tool's answer.
 */

/** The model does not decide what is an assumption: a requirement is one if its quote is not in the goal. */
const PlannedRequirement = z.lazy(() => Requirement.omit({ assumption: true }));
const PlannedTodo = z.lazy(() =>
  Todo.pick({
    id: true,
    title: true,
    description: true,
    dependsOn: true,
    requirements: true,
    artifacts: true,
    priority: true,
  }).extend({
    acceptance: z.array(z.string()).optional(),
  }),
);
/** What must hold is a command or a figure here: a model needs no third way to say it. */
const NewTodo = z.lazy(() =>
  PlannedTodo.unwrap().extend({
    metrics: z.array(z.object(Metric.shape)).optional(),
  }),
);
/** A todo of a changed plan. It may also name the files it may write. */
const UpdatedTodo = z.lazy(() => PlannedTodo.unwrap().extend({ files: Todo.shape.files }));

export const PlanUpdateResult = z.lazy(() =>
  z.object({
    todos: z.array(UpdatedTodo).min(1),
    why: z.string().optional(),
  }),
);
export type PlanUpdateResult = z.infer<typeof PlanUpdateResult>;

export const AmendmentResult = z.lazy(() =>
  z.object({
    requirements: z.array(PlannedRequirement).min(1),
    outOfScope: z.array(z.string()).default([]),
    todos: z.array(UpdatedTodo).min(1),
    superseded: z.array(Superseded).optional(),
  }),
);
export type AmendmentResult = z.infer<typeof AmendmentResult>;

export const PlannerResult = z.lazy(() =>
  z.object({
    size: GoalSize,
    title: z.string().max(120),
    kind: GoalKind,
    language: LanguageName,
    requirements: z.array(PlannedRequirement).min(1),
    outOfScope: z.array(z.string()).default([]),
    todos: z.array(NewTodo).min(1),
    relevantFiles: z.array(z.string()).default([]),
    superseded: z.array(Superseded).optional(),
    vague: z.string().optional(),
  }),
);
export type PlannerResult = z.infer<typeof PlannerResult>;

export const TesterResult = z.lazy(() =>
  z.object({
    files: z.array(TestFile).default([]),
    edits: z
      .array(z.object({ path: z.string(), oldText: z.string().min(1), newText: z.string() }))
      .optional()
      .describe("of files that you have sent or are shown as yours"),
  }),
);
export type TesterResult = z.infer<typeof TesterResult>;

export const JudgeResult = z.lazy(() =>
  z.object({
    entailed: z.boolean().describe("whether the spec says what the test asserts"),
    quote: z.string().default("").describe("the spec's own words that say so, copied exactly"),
    reason: z.string().describe("why, in one sentence"),
    behaviour: z.string().default("").describe("what is missing, in the spec's words, without any value of the test"),
  }),
);
export type JudgeResult = z.infer<typeof JudgeResult>;

export const ReviewResult = z.lazy(() => z.object({ findings: z.array(ReviewFinding) }));
export type ReviewResult = z.infer<typeof ReviewResult>;

export const RepromptResult = z.lazy(() =>
  z.object({
    goal: z.string().min(1),
    questions: z
      .array(z.object({ question: z.string().min(1), assumption: z.string().min(1) }))
      .max(5)
      .default([]),
    contradiction: z.string().optional(),
  }),
);
export type RepromptResult = z.infer<typeof RepromptResult>;

export const DebuggerResult = z.lazy(() =>
  z.object({
    cause: BranchReason,
    finding: z.string().min(1).describe("what is wrong and what shows it, in a sentence or two"),
    instructions: z.string().min(1),
    alternatives: z
      .array(z.string().min(1))
      .max(4)
      .default([])
      .describe("where the evidence leaves other explanations open: the instructions for each"),
    tests: z.array(z.string()).max(5).default([]).describe("where a test is at fault: its id, as the report has it"),
  }),
);
export type DebuggerResult = z.infer<typeof DebuggerResult>;

/** Which side is at fault when a test is blamed: the test, the contract, or only the code. */
export const SideRuling = z.object({
  fault: z.enum(["test", "contract", "code"]),
  quote: z.string().describe("words of the goal or the requirements that decide it, copied exactly"),
  reason: z.string(),
});
export type SideRuling = z.infer<typeof SideRuling>;

/** A model knows what OpenAPI is. That the document is one is checked; to spell it out would double the schema. */
const DesignedContract = z.lazy(() => {
  const contract = Contract.unwrap();
  const document = z
    .looseObject({})
    .describe("for a web API: an OpenAPI 3 document")
    .transform((given, context) => {
      const read = contract.shape.openapi.safeParse(given);
      if (read.success) return read.data;
      for (const { path, message } of read.error.issues) context.addIssue({ code: "custom", path, message });
      return z.NEVER;
    });
  return contract.extend({ openapi: document.optional() });
});

export const ArchitectResult = z.lazy(() =>
  z.object({
    contract: DesignedContract,
    design: z.string().min(1),
    ruling: SideRuling.optional().describe("only where you are asked which side is at fault"),
  }),
);
export type ArchitectResult = z.infer<typeof ArchitectResult>;

/** A contract that goes against the requirements, mended by its architect. */
export const ContractAmendment = z.lazy(() =>
  z.object({
    edits: z.array(ContractEdit).min(1).describe("each replaces one text of the contract's JSON, copied exactly"),
    reason: z.string().min(1).describe("what was against the requirements, in one sentence"),
  }),
);

export const CoderResult = z.lazy(() => z.object({ summary: z.string().describe("what was changed, in a sentence") }));
export type CoderResult = z.infer<typeof CoderResult>;

export const ReflectorResult = z.lazy(() =>
  z.object({
    cause: z.string().describe("why it is red, from the evidence"),
    hypothesis: z.string().describe("what to change so that it turns green"),
    next: z
      .enum(["code", "plan", "debug"])
      .describe("plan: the approach itself is wrong; debug: the evidence does not tell why, somebody must run it"),
    lesson: z
      .string()
      .optional()
      .describe("one line for whoever meets this error in other code: what it comes from and what mends it"),
  }),
);
export type ReflectorResult = z.infer<typeof ReflectorResult>;

/** The answer to a person's question about the project (`miracle ask`). */
export const AnswerResult = z.lazy(() =>
  z.object({
    answer: z.string().min(1).describe("a few plain sentences; [1] stands for the first of the places"),
    places: z
      .array(
        z.object({
          path: z.string(),
          quote: z.string().min(1).describe("one line of that file, copied exactly"),
          line: z.int().positive().optional(),
        }),
      )
      .max(20)
      .default([]),
  }),
);
export type AnswerResult = z.infer<typeof AnswerResult>;
