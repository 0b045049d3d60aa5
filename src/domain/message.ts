import { z } from "zod";
import { Json } from "./json.ts";

/** A conversation with a model, independent of any provider's wire format. */
export const TextPart = z.object({ type: z.literal("text"), text: z.string() });
/** An attachment of the person's; `data` is base64. */
export const FilePart = z.object({
  type: z.literal("file"),
  name: z.string(),
  mediaType: z.string(),
  data: z.string(),
});

export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** The arguments as the model wrote them: a JSON text that may be broken. The tool layer parses and answers. */
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const Message = z.lazy(() =>
  z.discriminatedUnion("role", [
    z.object({ role: z.literal("system"), content: z.string() }),
    z.object({ role: z.literal("user"), content: z.array(z.discriminatedUnion("type", [TextPart, FilePart])) }),
    z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(ToolCall) }),
    z.object({ role: z.literal("tool"), callId: z.string(), name: z.string(), content: z.string() }),
  ]),
);
export type Message = z.infer<typeof Message>;

export const ToolSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    description: z.string(),
    /** JSON Schema of the arguments. */
    parameters: z.record(z.string(), Json),
  }),
);
export type ToolSchema = z.infer<typeof ToolSchema>;

export const Role = z.enum([
  "planner",
  "tester",
  "coder",
  "reflector",
  "judge",
  "reviewer",
  "auditor",
  "reprompter",
  "debugger",
  "architect",
]);
export type Role = z.infer<typeof Role>;

/** One value for each role, by its name. */
export const forEachRole = <T>(make: (role: Role) => T): Record<Role, T> => ({
  planner: make("planner"),
  tester: make("tester"),
  coder: make("coder"),
  reflector: make("reflector"),
  judge: make("judge"),
  reviewer: make("reviewer"),
  auditor: make("auditor"),
  reprompter: make("reprompter"),
  debugger: make("debugger"),
  architect: make("architect"),
});

/** A value for every role, in what is stored. */
export const perRole = <T>(value: z.ZodType<T>) => z.record(Role, value);

export const ModelParameters = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxOutputTokens: z.int().positive(),
});
export type ModelParameters = z.infer<typeof ModelParameters>;

/** What one model call means. Its hash is the step's input hash, so nothing of a provider's wire format is in it. */
export const ModelRequest = z.lazy(() =>
  z.object({
    role: Role,
    messages: z.array(Message),
    tools: z.array(ToolSchema),
    parameters: ModelParameters,
    /** Which model of the role's ladder is wanted; absent: the first. */
    rung: z.int().positive().optional(),
    /** The role's old turns in few words: a small model is asked. Absent: the role's own work. */
    purpose: z.literal("summary").optional(),
  }),
);
export type ModelRequest = z.infer<typeof ModelRequest>;

export const Usage = z.lazy(() =>
  z.object({
    inputTokens: z.int().nonnegative(),
    outputTokens: z.int().nonnegative(),
    cachedInputTokens: z.int().nonnegative(),
    /** Millionths of a dollar; null when the model has no price. */
    costMicros: z.int().nonnegative().nullable(),
  }),
);
export type Usage = z.infer<typeof Usage>;

export const ModelAnswer = z.lazy(() =>
  z.object({
    text: z.string(),
    toolCalls: z.array(ToolCall),
    finish: z.enum(["stop", "tool-calls", "length", "content-filter", "other"]),
    /** `provider/name` of the model that answered, which may be a fallback. */
    model: z.string(),
    /** Attempts it took, the answered one included. */
    attempts: z.int().positive(),
    usage: Usage,
  }),
);
export type ModelAnswer = z.infer<typeof ModelAnswer>;
