import { z } from "zod";
import { Amendment } from "./amendment.ts";
import { Contract } from "./contract.ts";

/** One thing the result must do, traceable to the goal's words, with an example that a test can use. */
export const Requirement = z.object({
  id: z.string().regex(/^R[1-9][0-9]*$/),
  text: z.string().min(1),
  /** The goal's own words; absent when this is an assumption. */
  quote: z.string().optional(),
  assumption: z.boolean().default(false),
  example: z.object({ input: z.string(), output: z.string() }).optional(),
});
export type Requirement = z.infer<typeof Requirement>;

export const GoalKind = z.enum(["feature", "fix", "refactoring", "performance", "documentation", "chore"]);
export type GoalKind = z.infer<typeof GoalKind>;

/** Goals that add or mend a behaviour: a test must turn from red to green. The others must leave behaviour as it is. */
export const changesBehaviour = (kind: GoalKind): boolean => kind === "feature" || kind === "fix";

export const LanguageName = z.enum(["python", "javascript", "typescript", "go"]);
export type LanguageName = z.infer<typeof LanguageName>;

/** A test of the project that the goal makes obsolete, said before coding and shown to the person. */
export const Superseded = z.object({
  /** `file::test`. */
  test: z.string(),
  requirement: z.string(),
  /** The goal's own words that say so. */
  quote: z.string(),
});

/** The goal made precise. */
export const Spec = z.lazy(() =>
  z.object({
    title: z.string().min(1).max(120),
    kind: GoalKind,
    language: LanguageName,
    requirements: z.array(Requirement).min(1),
    outOfScope: z.array(z.string()).default([]),
    /** Commands whose success the person accepts as proof (`--accept`). */
    accept: z.array(z.string()).default([]),
    superseded: z.array(Superseded).optional(),
    /** What the parts promise each other, where an architect wrote it down. */
    contract: Contract.optional(),
    /** What the person said while it was worked on, in order. */
    amendments: z.array(Amendment).optional(),
  }),
);
export type Spec = z.infer<typeof Spec>;
