import type { Asked } from "../../domain/approval.ts";
import { isOutside, TerminalFailure } from "../../domain/failure.ts";
import { Asking, Refused } from "./warden.ts";

/** The outcome of a tool call: text for the model, or a question that must be answered first. */
export type ToolOutcome = { content: string; ok: boolean; refusal?: Refused["event"] } | { asks: Asked };

/** A mistake of the model becomes text that the model reads. A fault of the machine ends the run. */
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

/**
 * For code that runs without a command of a role. Returns what forbids it, or the question to answer first, or null.
 */
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
