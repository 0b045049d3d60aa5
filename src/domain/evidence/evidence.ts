import { z } from "zod";
import { Finding } from "../finding.ts";
import { Amendment } from "../plan/amendment.ts";
import { Superseded } from "../plan/spec.ts";
import { ReplacedTest } from "./replaced-test.ts";
import { Sharpened } from "./sharpened.ts";
import { SpeedReport } from "./speed.ts";
import { TestOutcome } from "./test-report.ts";

/** A red test that the coder could not see, and whether the spec says what it asserts. */
export const Dispute = z.object({
  test: z.string(),
  requirement: z.string(),
  ruling: z.enum(["upheld", "void"]),
  /** The spec's words that entail the assertion. */
  quote: z.string(),
  reason: z.string(),
});
export type Dispute = z.infer<typeof Dispute>;

/** What a verdict can rest on, the strongest first. `change-tests`: they came with the change, whoever wrote them. */
export const Oracle = z.enum(["accept", "own-suite", "confirmed-examples", "model-tests", "change-tests"]);
export type Oracle = z.infer<typeof Oracle>;

/** Why a result may be believed: each requirement with its tests and what they did before and after the change. */
export const Evidence = z.lazy(() =>
  z.object({
    tree: z.string(),
    requirements: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        assumption: z.boolean(),
        /** `red-to-green`: a test that the coder never saw shows that the change did it. `held`: it was true before and still is. */
        support: z.enum(["red-to-green", "held", "none"]),
        /** Green, but only in tests that the coder saw: they support nothing by themselves. */
        seenOnly: z.boolean().optional(),
        /** Its tests notice no small change of the changed lines: nobody can tell that they test anything. */
        unnoticed: z.boolean().optional(),
        /** Why no mutant tells whether its tests can fail. With support: the question cannot be put to it. */
        unmeasured: z.string().optional(),
        tests: z.array(
          z.object({
            id: z.string(),
            before: z.enum(["red", "passed"]),
            after: TestOutcome,
            heldOut: z.boolean().optional(),
            /** Of a held-out one: what it is worth. */
            state: z.enum(["unspent", "spent", "void", "unusable"]).optional(),
            reason: z.string().optional(),
          }),
        ),
      }),
    ),
    suite: z.object({
      before: z.object({ passed: z.int(), red: z.int() }).nullable(),
      after: z.object({ passed: z.int(), red: z.int() }).nullable(),
    }),
    /** The commands the person accepts as proof. */
    accept: z.array(z.object({ command: z.string(), passed: z.boolean(), ending: z.string() })),
    disputes: z.array(Dispute).optional(),
    /** What the person said while it was worked on, and what it made of the spec. */
    amended: z.array(Amendment).optional(),
    /** Tests of the project that turned red because the goal says so; listed before coding. */
    superseded: z.array(Superseded).optional(),
    /** Small changes of the changed lines, and what the tests of the requirements made of them. */
    mutants: z
      .object({
        killed: z.int(),
        survived: z.int(),
        notRun: z.int(),
        score: z.number().nullable(),
        /** Of those that no test noticed, in words. */
        survivors: z.array(z.string()),
        /** Why there is nothing to say; empty when there is. */
        why: z.string(),
      })
      .optional(),
    /** Of a goal about speed: what was measured before and after the change. */
    speed: z.array(SpeedReport).optional(),
    /** Tests written for mutants that nobody noticed; they support nothing. */
    sharpened: Sharpened.optional(),
    /** Changed lines that no test of a requirement runs: `calc.py:3-5`. */
    uncovered: z.array(z.string()).optional(),
    /** Tests that changed their outcome from run to run. */
    flaky: z.array(z.string()).optional(),
    /** Given tests that were shown to be at fault, with what stands in their place. */
    replaced: z.array(ReplacedTest).optional(),
    /** What the scans say of the finished change, and did not say of the base. */
    scans: z.array(Finding).optional(),
    /** What was done to tests or their configuration, and undone. */
    tampering: z.array(z.string()).optional(),
    carriedBy: z.array(Oracle).optional(),
    /** Tester and coder were the same model: they may share a misunderstanding. */
    sameModel: z.boolean().optional(),
  }),
);
export type Evidence = z.infer<typeof Evidence>;
