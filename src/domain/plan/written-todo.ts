import { z } from "zod";
import { BranchReason } from "./branch.ts";
import { Condition, Effect, Metric, type Todo, TodoId } from "./plan.ts";

const WrittenMetric = z
  .strictObject({
    name: Metric.shape.name,
    command: Metric.shape.command.describe("Prints the figure and nothing else"),
    at_most: z.number().optional(),
    at_least: z.number().optional(),
  })
  .refine(({ at_most, at_least }) => (at_most ?? at_least) !== undefined, "needs at_most or at_least");

const ROLE = "coder works on a todo, or architect before the coder; the others join in by themselves";

const Fields = z.lazy(() =>
  z.strictObject({
    id: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,59}$/)
      .describe("40 characters; a branch todo's may be 60 long"),
    parent_id: z.string().nullable().default(null).describe("Of a branch todo: the todo that it helps"),
    title: z.string().min(1),
    description: z.string().min(1).optional().describe("For whoever works on it"),
    agent_role: z
      .enum(["coder", "architect", "debugger"], { error: ROLE })
      .optional()
      .describe("architect: a contract is written before the coder begins; a branch todo's is debugger"),
    priority: z.int().optional().describe("Of todos that could begin, the one with the higher number goes first"),
    dependencies: z.array(z.string()).default([]),
    requirements: z.array(z.string()).default([]).describe("Those that it fulfils"),
    acceptance_criteria: z.array(z.string().min(1)).default([]).describe("Commands that must succeed when it is done"),
    expected_artifacts: z.array(z.string()).default([]).describe("Paths that are expected to exist or change"),
    metrics: z.array(WrittenMetric).optional().describe("Figures that must be within bounds when it is done"),
    files: z.array(z.string().min(1)).min(1).optional().describe("Globs that it may write"),
    preconditions: z.array(Condition).optional(),
    postconditions: z.array(Condition).optional(),
    effects: z.array(Effect).optional().describe("Compared with what it changed; a difference is a warning"),
    timeout_ms: z.int().positive().optional().describe("Time at work"),
    retries: z.int().nonnegative().max(5).optional().describe("How often it is begun anew after what may pass"),
    branch_reason: z
      .enum([...BranchReason.options, "test_failure"])
      .optional()
      .describe("test_failure: not known yet"),
    debug_instructions: z.string().min(1).optional(),
    is_temporary: z.boolean().default(false).describe("True of a branch todo"),
    max_debug_attempts: z.int().nonnegative().max(20).optional().describe("Iterations after the debugger's finding"),
  }),
);
export type WrittenTodo = z.infer<typeof Fields>;

/** A todo, or a branch todo: what a debugger found out about its parent in earlier work. */
export const WrittenTodo = z.lazy(() => Fields.unwrap().superRefine(checkKind));

/** A branch is over with the work it belonged to. What it found is told to whoever works on its parent now. */
export function todoFrom(written: WrittenTodo, branches: WrittenTodo[]): Todo {
  const { id, title, priority, requirements, files, preconditions, postconditions, effects, retries } = written;
  const found = branches.map(({ title, branch_reason = "test_failure", debug_instructions }) => {
    return `Found out earlier (${branch_reason}), ${title}: ${debug_instructions}`;
  });
  const description = [...(written.description === undefined ? [] : [written.description]), ...found].join("\n\n");
  const debugAttempts = branches.at(-1)?.max_debug_attempts ?? written.max_debug_attempts;
  const metrics = written.metrics?.map(({ name, command, at_most: atMost, at_least: atLeast }) => {
    return { name, command, ...(atMost !== undefined && { atMost }), ...(atLeast !== undefined && { atLeast }) };
  });
  return {
    id,
    title,
    ...(description !== "" && { description }),
    role: written.agent_role === "architect" ? "architect" : "coder",
    dependsOn: written.dependencies,
    requirements,
    acceptance: written.acceptance_criteria,
    artifacts: written.expected_artifacts,
    ...(priority !== undefined && { priority }),
    ...(files && { files }),
    ...(preconditions && { preconditions }),
    ...(postconditions && { postconditions }),
    ...(metrics && { metrics }),
    ...(effects && { effects }),
    ...(written.timeout_ms !== undefined && { timeoutMs: written.timeout_ms }),
    ...(retries !== undefined && { retries }),
    ...(debugAttempts !== undefined && { debugAttempts }),
  };
}

/** What a branch todo may say. Everything else is its parent's. */
const OF_BRANCH: (keyof WrittenTodo)[] = [
  "id",
  "parent_id",
  "title",
  "agent_role",
  "branch_reason",
  "debug_instructions",
  "is_temporary",
  "max_debug_attempts",
];
/** What only a branch todo may say. */
const ONLY_OF_BRANCH: (keyof WrittenTodo)[] = ["parent_id", "branch_reason", "debug_instructions"];

/** A field that would mean nothing is refused: whoever wrote it counts on it. */
function checkKind(todo: WrittenTodo, context: z.RefinementCtx): void {
  const refuse = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
  const said = Object.entries(todo).flatMap(([key, value]) => (saysNothing(value) ? [] : [key]));
  if (todo.is_temporary) {
    if (todo.parent_id === null) refuse("parent_id", "a branch todo says which todo it helps");
    if (todo.debug_instructions === undefined) refuse("debug_instructions", "a branch todo says what is to be done");
    if (todo.agent_role === "coder" || todo.agent_role === "architect")
      refuse("agent_role", "a branch todo is the debugger's");
    const others = said.filter((key) => !OF_BRANCH.some((own) => own === key));
    for (const key of others) refuse(key, "a branch todo has this from its parent: say it there");
    return;
  }
  const only = "belongs to a branch todo (is_temporary: true)";
  for (const key of ONLY_OF_BRANCH) if (said.includes(key)) refuse(key, only);
  const { error } = TodoId.safeParse(todo.id);
  for (const { message } of error?.issues ?? []) refuse("id", message);
  if (todo.agent_role === "debugger") refuse("agent_role", `debugger ${only}; ${ROLE}`);
}

const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
