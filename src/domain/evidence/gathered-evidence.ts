import { z } from "zod";
import { Finding } from "../finding.ts";
import { Superseded } from "../plan/spec.ts";
import { Dispute } from "./dispute.ts";
import { EvidenceDocument, EvidenceRequirement } from "./evidence-document.ts";
import { Oracle } from "./oracle.ts";
import { TestOutcome } from "./test-report.ts";

/** A test of a requirement, as the red check saw it before the change and the last gate after it. */
const RequirementTest = z.lazy(() =>
  z.object({
    id: z.string(),
    before: z.enum(["red", "passed"]),
    after: TestOutcome,
    heldOut: z.boolean().optional(),
    /** Of a held-out one: what it is worth. */
    state: z.enum(["unspent", "spent", "void", "unusable"]).optional(),
    reason: z.string().optional(),
  }),
);

const Counts = z.object({ passed: z.int(), red: z.int() });

/**
 * What a task records of its evidence when it ends: the parts of the document that only the loop knows then, and short
 * forms of what other steps hold in full (counts instead of reports). It is the input of the step `evidence` and an
 * event, so its fields are a format. The document is made of it (`verify/evidence/document-of-task.ts`).
 */
export const GatheredEvidence = z.lazy(() => {
  const { speed, sharpened, amended, replaced } = EvidenceDocument.unwrap().shape;
  return z.object({
    tree: z.string(),
    requirements: z.array(
      EvidenceRequirement.unwrap()
        .omit({ quote: true })
        .extend({
          /** Green, but only in tests that the coder saw: they support nothing by themselves. */
          seenOnly: z.boolean().optional(),
          /** Its tests notice no small change of the changed lines: nobody can tell that they test anything. */
          unnoticed: z.boolean().optional(),
          tests: z.array(RequirementTest),
        }),
    ),
    suite: z.object({ before: Counts.nullable(), after: Counts.nullable() }),
    /** The commands the person accepts as proof. */
    accept: z.array(z.object({ command: z.string(), passed: z.boolean(), ending: z.string() })),
    disputes: z.array(Dispute).optional(),
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
    /** Changed lines that no test of a requirement runs: `calc.py:3-5`. */
    uncovered: z.array(z.string()).optional(),
    /** Tests that changed their outcome from run to run. */
    flaky: z.array(z.string()).optional(),
    /** What the scans say of the finished change, and did not say of the base. */
    scans: z.array(Finding).optional(),
    /** What was done to tests or their configuration, and undone. */
    tampering: z.array(z.string()).optional(),
    carriedBy: z.array(Oracle).optional(),
    /** Tester and coder were the same model: they may share a misunderstanding. */
    sameModel: z.boolean().optional(),
    ...{ speed, sharpened, amended, replaced },
  });
});
export type GatheredEvidence = z.infer<typeof GatheredEvidence>;
