import type { Json } from "../../domain/json.ts";

/** What a hook is told of a tool call. */
export interface HookCall {
  tool: string;
  arguments: Json;
  role: string;
  task: string;
  /** The person's directory that the task works for. */
  directory: string;
}

export type HookRuling = { decision: "allow" } | { decision: "deny" | "ask"; hook: string; reason: string };

/** What an after-hook makes of a tool's answer. */
export type HookReview = { decision: "allow"; note: string } | { decision: "deny"; hook: string; reason: string };

/** The port to the person's own programs. A hook that fails or says nothing in time denies. */
export interface Hooks {
  /** Asked in the order of the config; the first that does not allow decides. */
  before(call: HookCall, signal: AbortSignal): Promise<HookRuling>;
  /** A denial withholds the answer from the model; what the tool did stays. */
  after(call: HookCall, result: { content: string; ok: boolean }, signal: AbortSignal): Promise<HookReview>;
}
