import type { Asked } from "../../domain/approval.ts";
import { isOutside, TerminalFailure } from "../../domain/failure.ts";
import { Asking, Refused } from "./warden.ts";

/** What came of a tool call: what the model is to read, or a question that must be answered first. */
export type ToolOutcome = { content: string; ok: boolean; refusal?: Refused["event"] } | { asks: Asked };

/** What a model did wrong is its answer to read; what the machine lacks ends the run. */
export async function outcomeOf(tool: () => Promise<string>): Promise<ToolOutcome> {
  try {
    return { content: await tool(), ok: true };
  } catch (error) {
    if (error instanceof Asking) return { asks: error.asked };
    if (error instanceof Refused) return { content: error.content, ok: false, refusal: error.event };
    if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
    return { content: error.failure.message, ok: false };
  }
}

/** Code that is about to be executed without a command of a role's: what speaks against it, if anything does. */
export async function objection(check: Promise<void>): Promise<{ refused: Refused } | { asks: Asked } | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof Asking) return { asks: error.asked };
    if (error instanceof Refused) return { refused: error };
    throw error;
  }
}
