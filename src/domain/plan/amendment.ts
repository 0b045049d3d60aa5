import { z } from "zod";

/** Longer texts belong into a file of the project. */
export const LONGEST_MESSAGE = 20_000;

/** What a person said to a task that is under way. */
export const ToldMessage = z.object({
  id: z.string(),
  text: z.string(),
  by: z.string(),
  at: z.int(),
});
export type ToldMessage = z.infer<typeof ToldMessage>;

/** What a message made of the spec. Where it changed no requirement it is a note for the coder. */
export const Amendment = z.object({
  message: z.string(),
  /** The person's own words. */
  words: z.string(),
  by: z.string(),
  /** When it was told. */
  at: z.int(),
  /** Ids of requirements. */
  added: z.array(z.string()),
  changed: z.array(z.string()),
  dropped: z.array(z.string()),
});
export type Amendment = z.infer<typeof Amendment>;

/** A message that changes no requirement is a hint for the coder. */
export const isNote = ({ added, changed, dropped }: Pick<Amendment, "added" | "changed" | "dropped">): boolean =>
  added.length + changed.length + dropped.length === 0;

/** `ada, 2026-11-15 12:34 UTC (added R2): negative numbers are an error`. */
export function describeAmendment({ words, by, at, added, changed, dropped }: Amendment): string {
  const parts = Object.entries({ added, changed, dropped }).flatMap(([how, ids]) =>
    ids.length > 0 ? [`${how} ${ids.join(", ")}`] : [],
  );
  const when = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  return `${by}, ${when} UTC (${parts.length > 0 ? parts.join("; ") : "a hint"}): ${words.replace(/\s+/g, " ").trim()}`;
}
