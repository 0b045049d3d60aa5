import type { IndexFilter } from "./memory-index.ts";

/** A **shelf** holds records that are searched together: one kind of one audience. */
export const shelfOf = (kind: string, audience: string): string => `${kind}/${audience}`;

/** The shelves that a filter names. `between` finds the names in the database between two names, both excluded. */
export async function shelvesFor(
  { kind, audiences }: IndexFilter,
  between: (after: string, before: string) => Promise<string[]>,
): Promise<string[]> {
  if (audiences === "any") return between(shelfOf(kind, ""), `${kind}0`);
  return [...new Set(audiences)].map((audience) => shelfOf(kind, audience));
}
