import { z } from "zod";
import { LineRange } from "./line-range.ts";

/** What is known of one place of a change. */
export const Standing = z.enum([
  "shown", // a test that could fail shows what it does
  "same", // it does what it did before
  "inert", // it does nothing: comments, documentation, tests themselves
  "not-judged", // nothing shows it, or it could not be measured
]);
export type Standing = z.infer<typeof Standing>;

/**
 * One place of a change. All places together are everything that differs between the two trees. Each has exactly one
 * standing.
 */
export const AccountLine = z.lazy(() =>
  z.object({
    path: z.string(),
    /** Of code: the function, the class, or the words a statement begins with. */
    unit: z.string().optional(),
    /** Its changed lines: of the result, or of the base for what is gone. */
    lines: z.array(LineRange).optional(),
    standing: Standing,
    /** One short sentence. */
    why: z.string(),
    /** It has a gap: tests that turned green notice small changes of it, and something of it is not shown. */
    partly: z.boolean().optional(),
    /** It is not judged, and a person accepts that. */
    left: z.boolean().optional(),
    /** It is not judged, and belongs to what was asked for: the goal names it, or shown code of the change needs it. */
    explained: z.string().optional(),
  }),
);
export type AccountLine = z.infer<typeof AccountLine>;

/** Nothing shows or explains these places, and nobody accepts that. */
export const openLines = (account: readonly AccountLine[]): AccountLine[] =>
  account.filter(({ standing, left, explained }) => standing === "not-judged" && !left && explained === undefined);

/** Tests turned green for it, and something of it is left that nothing shows: it has a gap. */
export const isPartly = ({ standing, partly, left }: AccountLine): boolean =>
  standing === "not-judged" && partly === true && !left;

/** `cart.py total`. */
export const placeOf = ({ path, unit }: Pick<AccountLine, "path" | "unit">): string =>
  unit === undefined ? path : `${path} ${unit}`;
