import { z } from "zod";
import { ModelParameters, perRole } from "../message.ts";
import { MemorySettings } from "./memory-settings.ts";
import { MODEL_NAME } from "./model-name.ts";
import { SafetySettings } from "./safety-settings.ts";

export const ModelName = z.string().regex(MODEL_NAME, "a model is written provider/name");

/** How a role's model is chosen: the first of the sequence that answers. */
export const RoleModel = z.object({
  models: z.array(ModelName).min(1),
  parameters: ModelParameters,
  /** The models are a ladder: the first for what looks easy, a further one up after each failure. */
  escalate: z.boolean().optional(),
});
export type RoleModel = z.infer<typeof RoleModel>;

/** Where a provider is reached. The key itself is never stored: only the variable that holds it. */
export const Provider = z.object({
  kind: z.enum(["openai", "anthropic", "google", "openai-compatible"]),
  baseUrl: z.url().optional(),
  keyVariable: z.string().optional(),
  /** False for servers whose models cannot call tools: a text protocol takes its place. */
  toolCalling: z.boolean().default(true),
  defaultModel: z.string().optional(),
  /** A cheap one, for summaries. */
  smallModel: z.string().optional(),
  /** The most requests that all tasks on one database have under way at once. */
  atOnce: z.int().positive().optional(),
});
export type Provider = z.infer<typeof Provider>;

const Rates = z.object({
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  /** Where writing to the prompt cache is dearer than plain input. */
  cacheWrite: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});

/** Dollars for a million tokens. */
export const Price = Rates.extend({
  /** What all of a request costs once its input has more tokens than `above`. */
  longContext: Rates.extend({ above: z.int().positive() }).optional(),
});
export type Price = z.infer<typeof Price>;

export const Limits = z.object({
  maxIterations: z.int().positive(),
  warnAtIteration: z.int().positive(),
  /** Iterations without fewer red tests before the loop is called stuck. */
  patience: z.int().positive(),
  /** Iterations of a temporary todo for one that stays red; 0: there is none. */
  debugAttempts: z.int().nonnegative(),
  /** How many debuggers one after another look at a todo that stays red, each at what came of the last. Absent: one. */
  branchDepth: z.int().positive().optional(),
  /** How many explanations of a todo that stays red are tried beside each other. */
  candidates: z.int().positive(),
  /** How often a planner may change what is left of the plan. */
  planUpdates: z.int().nonnegative(),
  /** Model turns of a coder in one iteration. */
  maxTurns: z.int().positive(),
  maxCostMicros: z.int().nonnegative().nullable(),
  maxTokens: z.int().positive().nullable(),
  /** Time at work on the task, over all its runs. */
  timeoutMs: z.int().positive(),
  /** How long it may neither take a step nor tell anything. Absent: as long as it may take. */
  silenceMs: z.int().positive().optional(),
  /** Todos that are worked on at once. */
  parallel: z.int().positive(),
});
export type Limits = z.infer<typeof Limits>;

export const SandboxLimits = z.object({
  cpus: z.number().positive(),
  memoryMb: z.int().positive(),
  pids: z.int().positive(),
  diskMb: z.int().positive(),
  timeoutMs: z.int().positive(),
  /** What is kept of stdout and of stderr, each. */
  outputBytes: z.int().positive(),
});
export type SandboxLimits = z.infer<typeof SandboxLimits>;

export const SandboxBackend = z.enum(["bubblewrap", "docker", "seatbelt", "process"]);
export type SandboxBackend = z.infer<typeof SandboxBackend>;

/** Whether commands run as this user in the real directory: there are no mounts, and two commands can meet. */
export const runsInPlace = (backend: string): boolean => backend === "process" || backend === "seatbelt";

export const Retry = z.object({
  attempts: z.int().positive(),
  baseMs: z.int().positive(),
  maxMs: z.int().positive(),
  requestTimeoutMs: z.int().positive(),
});
export type Retry = z.infer<typeof Retry>;

export const Effort = z.enum(["quick", "standard", "thorough"]);
export type Effort = z.infer<typeof Effort>;

/** When a goal is made precise first: when the planner finds it vague, always, or never. */
export const Clarify = z.enum(["auto", "always", "never"]);
export type Clarify = z.infer<typeof Clarify>;

/** Everything that steers a task, resolved from all sources and frozen when it starts. */
export const Settings = z.object({
  models: perRole(RoleModel),
  providers: z.record(z.string(), Provider),
  prices: z.record(z.string(), Price),
  /** Tokens that models take, input and output together, by name. */
  windows: z.record(z.string(), z.int().positive()),
  /** Old turns become a summary where leaving out tool output is not enough. Absent: never. */
  summaries: z.object({ model: ModelName.nullable() }).optional(),
  limits: Limits,
  sandbox: z.object({
    backend: SandboxBackend,
    /** For containers: an image with a system of its own. Without one they show the host's, read-only. */
    image: z.string().optional(),
    limits: SandboxLimits,
  }),
  retry: Retry,
  effort: Effort,
  /** Straight to the coder; `accept` alone decides. */
  direct: z.boolean(),
  accept: z.array(z.string()),
  /** What lints and type-checks a new project: tools of its language. Absent: only what it configures itself. */
  checks: z.literal("language").optional(),
  /** The share of mutants that the tests must notice; null: one for each requirement is enough. */
  mutationScore: z.number().min(0).max(1).nullable(),
  clarify: Clarify,
  /** Whether an architect writes a contract first; `auto`: for large goals. */
  architect: Clarify,
  /** Phases between coding and testing. */
  review: z.boolean(),
  audit: z.boolean(),
  confirm: z.array(z.enum(["plan", "diff"])),
  /** Globs the agent may write; empty means everything in the workspace. */
  writeScope: z.array(z.string()),
  redactVariables: z.array(z.string()),
  proving: z.object({
    /** Mutants that no test notices go to the tester once, for sharper tests. */
    sharpen: z.boolean(),
  }),
  /** What is done for a todo that stays red, beside the debugger. */
  recovery: z.object({
    /** A given test that is shown to be wrong, slow or flaky is written anew, once for each todo. */
    rewrite: z.boolean(),
    /** At the end a person is asked for a hint, where one is there or the task may wait. */
    ask: z.boolean(),
  }),
  safety: SafetySettings,
  memory: MemorySettings,
});
export type Settings = z.infer<typeof Settings>;
