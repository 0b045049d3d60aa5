import { clip, firstOf } from "../../agents/tools/clip.ts";
import type { GateVerdict } from "../../verify/gate/gate.ts";

const CHANGE_CHARACTERS = 12_000;
const SHOWN_REASONS = 6;
const NAMED_REASONS = 20;
const REASON_CHARACTERS = 2000;

/** Shortens a diff so that a prompt can hold it. */
export const bounded = (diff: string): string =>
  diff.length <= CHANGE_CHARACTERS
    ? diff
    : `${diff.slice(0, CHANGE_CHARACTERS)}\n… ${diff.length - CHANGE_CHARACTERS} characters more`;

/** What is red, with what is known about the first of it; the rest by name. */
export function describeVerdict({ reasons }: GateVerdict): string {
  const shown = reasons.slice(0, SHOWN_REASONS).map(({ id, message }) => `${id}\n${clip(message, REASON_CHARACTERS)}`);
  const others = reasons.slice(SHOWN_REASONS).map((reason) => reason.id);
  return [...shown, ...(others.length > 0 ? [`also red: ${firstOf(others, NAMED_REASONS)}`] : [])].join("\n\n");
}
