import { z } from "zod";
import { readJson } from "../../domain/json.ts";

/** What the recorder and the replay write, a line each. Untrusted: what cannot be read is left out. */
const text = (most: number) => z.string().transform((value) => value.slice(0, most));

export const RecordedFunction = z.object({
  path: z.string(),
  name: z.string(),
  module: text(300),
  seen: z.int().nonnegative(),
  distinct: z.int().nonnegative(),
  lost: z.int().nonnegative(),
  /** Why arguments could not be carried over, of the first such call. */
  why: text(200),
});
export type RecordedFunction = z.infer<typeof RecordedFunction>;

export const RecordedCall = z.object({
  path: z.string(),
  name: z.string(),
  tests: z.array(text(500)).max(50),
  data: z.string().max(200_000),
  /** `value`: it gave one in the test. */
  kind: text(20),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

export const VariedCall = z.object({
  id: text(60),
  key: z.string(),
  data: z.string().max(200_000),
  /** The call that was varied, and in which place. */
  of: text(60),
  place: text(120),
});
export type VariedCall = z.infer<typeof VariedCall>;

const Part = z.object({ sum: text(64), shown: text(2_000) });

export const Outcome = z.object({
  id: z.string(),
  /** `unmade`: the arguments do not exist in this tree. */
  kind: z.enum(["value", "raise", "hang", "died", "unmade", "gone"]),
  /** Of all parts together. */
  sum: text(64),
  /** What can be seen of the call: `value`, `shares`, `argument 1`, `output`, `files`, `name x` of a module's name. */
  parts: z.record(z.string(), Part),
  call: text(200).default(""),
  /** The type of what it raised. */
  raised: text(100).default(""),
  /** How the classes of its objects are made. */
  shape: text(64).default(""),
  /** Of functions in the result. */
  codes: text(64).default(""),
  /** Of the result no more can be seen than what it is. */
  blind: z.boolean().default(false),
  /** Nothing came of it. */
  quiet: z.boolean().default(false),
});
export type Outcome = z.infer<typeof Outcome>;

/** A call that was made where a test makes it, or a variation of it. */
export const PlacedCall = z.object({
  path: z.string(),
  name: z.string(),
  test: text(500),
  of: text(60).nullable(),
  place: text(120),
  attempt: z.union([z.literal(1), z.literal(2)]),
  outcome: Outcome,
});
export type PlacedCall = z.infer<typeof PlacedCall>;

export const HeldValue = z.object({
  path: z.string(),
  name: z.string(),
  sum: text(64),
  shown: text(200),
  /** Of a class: what it is derived from. */
  kinds: z.array(text(200)).default([]),
  /** All of it can be seen: no function or class of the project is in it. */
  plain: z.boolean(),
});
export type HeldValue = z.infer<typeof HeldValue>;

/** What loading a module did besides: files and processes, and by module what others hold. */
export const LoadedModule = z.object({
  path: z.string(),
  effects: text(64),
  around: z.record(z.string(), text(64)),
});
export type LoadedModule = z.infer<typeof LoadedModule>;

const TriedLine = z.object({ id: z.string(), noticed: z.boolean(), call: text(60) });

export const Line = z.lazy(() =>
  z.union([
    z.object({ function: RecordedFunction }),
    z.object({ call: RecordedCall }),
    z.object({ placed: PlacedCall }),
    z.object({ gave: text(60) }),
    z.object({ raised: text(60) }),
    z.object({ paths: z.array(text(500)).max(50) }),
    z.object({ varied: VariedCall }),
    z.object({ outcome: Outcome }),
    z.object({ problem: z.object({ key: z.string(), text: text(300) }) }),
    z.object({ globals: z.object({ key: z.string(), names: z.array(z.string()).max(2_000) }) }),
    z.object({ value: HeldValue }),
    z.object({ loaded: LoadedModule }),
    z.object({ mutant: TriedLine }),
    z.object({ end: z.literal(true) }),
  ]),
);
export type Line = z.infer<typeof Line>;

export const readLines = (written: string): Line[] =>
  written.split("\n").flatMap((line) => (line === "" ? [] : (Line.safeParse(readJson(line)).data ?? [])));
