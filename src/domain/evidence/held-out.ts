import { z } from "zod";
import { TestOutcome } from "./test-report.ts";

/**
 * A test that the coder never sees. It is worth something as long as it told the coder nothing:
 * `unspent`: it may carry a verdict. `spent`: it was red and its behaviour was told. `void`: a dispute found that the spec
 * does not say what it asserts. `unusable`: it asks for what nobody said, or no twin can be made of it.
 */
export const HeldOutTest = z.object({
  file: z.string(),
  test: z.string(),
  requirement: z.string(),
  state: z.enum(["unspent", "spent", "void", "unusable"]),
  /**
   * What it can show. `red`: it failed before the change, so that it may show what was brought. `green`: it passed, so
   * that it may show what was kept. `untold`: it passes whatever the code gives back, so that it may show only what
   * stays as it was, such as an argument. Of the last two one that notices no mutant shows nothing.
   */
  before: z.enum(["red", "green", "untold"]),
  /**
   * How it went on the change as it is now; null until it ran. `stopped`: the run did not come to its end. `unjudged`: it
   * passed, and the checks beside it do not bear it out.
   */
  outcome: z.enum(["passed", "red", "stopped", "unjudged", "tampered"]).nullable(),
  /** Its cases, by what follows its name, each as it went before the change and on it. */
  cases: z.array(z.object({ case: z.string(), before: TestOutcome.nullable(), after: TestOutcome.nullable() })),
  /** Why it is in this state, or why it is red. */
  reason: z.string(),
});
export type HeldOutTest = z.infer<typeof HeldOutTest>;

export const heldOutId = ({ file, test }: Pick<HeldOutTest, "file" | "test">): string => `${file}::${test}`;

/** What is done next with the tests that the coder does not see. */
type UnseenStep =
  | { next: "run" }
  /** Somebody made the tests say what is not so. */
  | { next: "refuse"; tests: HeldOutTest[] }
  /** Visible tests are green and these are red: does the spec say what they assert? */
  | { next: "dispute"; tests: HeldOutTest[] }
  /** The coder is told which behaviour is missing. */
  | { next: "mend"; tests: HeldOutTest[] }
  /** The tester writes a new one for each of these. */
  | { next: "replace"; requirements: string[] }
  | { next: "done" }
  | { next: "give-up"; reason: string };

export interface UnseenRounds {
  mended: number;
  replaced: number;
}

/** A test that failed is replaced twice at most, and its behaviour told as often. */
export const MOST_ROUNDS = 2;
const DISPUTES_AT_ONCE = 3;

/**
 * Pure: the engine obeys. The order is the order of what can be trusted: a verdict that was tampered with says nothing
 * else; a test is only held against the code once the spec is found to say it; a test that helped the coder is replaced
 * before anything is called proven.
 */
export function nextUnseen(tests: HeldOutTest[], requirements: string[], rounds: UnseenRounds): UnseenStep {
  const tampered = tests.filter((test) => test.outcome === "tampered");
  if (tampered.length > 0) return { next: "refuse", tests: tampered };
  const disputed = tests.filter((test) => test.state === "unspent" && test.outcome === "red");
  if (disputed.length > 0) return { next: "dispute", tests: disputed.slice(0, DISPUTES_AT_ONCE) };
  const missing = tests.filter(
    (test) => (test.state === "spent" && test.outcome === "red") || test.outcome === "stopped",
  );
  if (missing.length > 0) {
    if (rounds.mended < MOST_ROUNDS) return { next: "mend", tests: missing };
    return { next: "give-up", reason: `${missing.length} of the tests that the coder does not see stay red` };
  }
  const bare = requirements.filter((id) => !tests.some((test) => test.requirement === id && canCarry(test)));
  // A requirement that never had a test is not given one here: the tester has been asked already.
  const replaceable = bare.filter((id) => {
    const own = tests.filter(({ requirement }) => requirement === id);
    const unjudged = own.filter(({ outcome }) => outcome === "unjudged").length;
    // What is not borne out twice will not be.
    return own.some(({ state }) => state === "spent" || state === "void") ? unjudged < 2 : unjudged === 1;
  });
  if (replaceable.length > 0 && rounds.replaced < MOST_ROUNDS) return { next: "replace", requirements: replaceable };
  if (tests.some((test) => mustRun(test) && test.outcome === null)) return { next: "run" };
  return { next: "done" };
}

/** It may show something, as far as is known by now. */
export const canCarry = ({ state, outcome }: HeldOutTest): boolean => state === "unspent" && outcome !== "unjudged";

/** Spent tests run on: what was told must have been done. So do those that show nothing: red, they show a fault. */
export const mustRun = ({ state }: HeldOutTest): boolean => state === "unspent" || state === "spent";

/** The change is another one: nothing is known of it. */
export const forNewChange = (tests: HeldOutTest[]): HeldOutTest[] => tests.map((test) => ({ ...test, outcome: null }));

/** Tests that were used for something else than the verdict carry it no more. */
export const spend = (tests: HeldOutTest[], ids: string[], reason: string): HeldOutTest[] =>
  tests.map((test) =>
    test.state === "unspent" && ids.includes(heldOutId(test)) ? { ...test, state: "spent", reason } : test,
  );

type Ruling = { ruling: "upheld" | "void"; reason: string };

/** What a dispute makes of a red test. */
export function settleDispute(test: HeldOutTest, { ruling, reason }: Ruling): HeldOutTest {
  if (test.state !== "unspent" || test.outcome !== "red")
    throw new Error(`there is nothing to dispute about ${heldOutId(test)}`);
  return ruling === "upheld" ? { ...test, state: "spent", reason } : { ...test, state: "void", outcome: null, reason };
}
