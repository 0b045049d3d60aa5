import { briefClaimJudge } from "../../agents/briefings/claim.ts";
import { JudgeResult } from "../../agents/finish.ts";
import type { Dispute } from "../../domain/evidence/evidence.ts";
import type { BlamedTests } from "../../verify/blamed-tests.ts";
import { isQuotedFrom, specText } from "../../verify/held-out/quote.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { Claim, SettledClaim, TestFault } from "./claim.ts";

const JUDGE_TURNS = 3;

/**
 * Asks a new judge about each blamed test. A judge that quotes no words of the spec has not agreed, so the test stands.
 */
export async function judgeClaim(run: Run, claim: Claim, blamed: BlamedTests): Promise<SettledClaim> {
  const faults: TestFault[] = [];
  const disputes: Dispute[] = [];
  const notes: string[] = [];
  for (const name of blamed.tests) {
    const ruled = await rule(run, claim, blamed, name);
    const [requirement = ""] = requirementsOf(blamed, name);
    const test = `${blamed.file.path}::${name}`;
    const { entailed, quote, reason } = ruled;
    const dispute: Dispute = { test, requirement, ruling: entailed ? "upheld" : "void", quote, reason };
    await run.note(
      { kind: "decision", name: "claim-settled", input: dispute },
      { type: "dispute-settled", ...dispute },
    );
    disputes.push(dispute);
    if (entailed) notes.push(`${name} is right: the spec says “${quote}”. ${ruled.behaviour}`.trim());
    else faults.push({ name, why: reason, quote });
  }
  if (faults.length > 0) return { fault: "tests", blamed, faults, disputes };
  return { fault: "code", note: `It was said that a test is wrong. A judge looked:\n${notes.join("\n")}`, disputes };
}

const requirementsOf = ({ file }: BlamedTests, name: string): string[] =>
  file.covers.filter(({ test }) => test === name).map(({ requirement }) => requirement);

async function rule(run: Run, { work, attempt }: Claim, blamed: BlamedTests, name: string): Promise<JudgeResult> {
  const { spec } = work.subject;
  const said = specText(run.request.goal, spec);
  const own = new Set(requirementsOf(blamed, name));
  const { path, content } = blamed.file;
  const answer = await run.ask("judge", {
    name: "claim",
    briefing: [
      briefClaimJudge({
        spec: said,
        requirements: spec.requirements.filter(({ id }) => own.has(id)),
        test: { path, content },
        name,
        base: readable(run.settings, whoIs("judge", run), work.files),
      }),
    ],
    result: JudgeResult,
    workbench: readingBench(run, null, attempt.tree),
    maxTurns: JUDGE_TURNS,
    check: async ({ quote }) =>
      isQuotedFrom(said, quote) ? undefined : "these words do not stand in the spec: copy them exactly",
  });
  return answer ?? STANDS;
}

const STANDS: JudgeResult = {
  entailed: true,
  quote: "",
  reason: "nobody quoted words of the spec against it",
  behaviour: "",
};
