import type { IndexFilter } from "./memory-index.ts";

/** A **shelf** holds what can be wanted together: one kind of one audience. */
export const shelfOf = (kind: string, audience: string): string => `${kind}/${audience}`;

/** The shelves that a filter names; `between` finds all that the database has between two names, both left out. */
export async function shelvesFor(
  { kind, audiences }: IndexFilter,
  between: (after: string, before: string) => Promise<string[]>,
): Promise<string[]> {
  if (audiences === "any") return between(shelfOf(kind, ""), `${kind}0`);
  return [...new Set(audiences)].map((audience) => shelfOf(kind, audience));
}
