import { briefClaimArchitect } from "../../agents/briefings/claim.ts";
import { ArchitectResult, SideRuling } from "../../agents/finish.ts";
import { isQuotedFrom, specText } from "../../verify/held-out/quote.ts";
import type { BlamedTests } from "../../verify/written-tests/blamed-tests.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { TestClaim } from "./test-claim.ts";

const TURNS = 4;

/**
 * Where there is a contract, the architect decides first which side is at fault. It must quote the requirements: a
 * contract cannot be quoted as proof of itself. Null: no usable answer.
 */
export async function askArchitect(
  run: Run,
  { work }: TestClaim,
  { file, tests }: BlamedTests,
): Promise<SideRuling | null> {
  const { spec, wanted } = work.subject;
  const { goal } = run.request;
  const { contract: _, ...bare } = spec;
  const said = specText(goal, bare);
  const own = new Set(file.covers.filter(({ test }) => tests.includes(test)).map(({ requirement }) => requirement));
  const answer = await run.ask("architect", {
    name: "side",
    briefing: [
      briefClaimArchitect({
        spec: specText(goal, spec),
        requirements: spec.requirements.filter(({ id }) => own.has(id)),
        test: { path: file.path, content: file.content },
        name: tests.join(", "),
        base: readable(run.settings, whoIs("architect", run), work.files),
      }),
    ],
    result: ArchitectResult,
    // The tree before any todo: the architect has read tools, and must not see the change.
    workbench: readingBench(run, work.language, wanted.survey.tree),
    maxTurns: TURNS,
    check: async ({ ruling }) => {
      if (!ruling) return "say in `ruling` which side is at fault";
      return isQuotedFrom(said, ruling.quote)
        ? undefined
        : "these words stand neither in the goal nor in a requirement";
    },
  });
  const ruling = answer?.ruling ?? null;
  await run.step(
    { kind: "decision", name: "side-ruled", input: { ruling }, output: SideRuling.nullable() },
    async ({ emit }) => {
      if (ruling) {
        const message = `the architect on ${tests.join(", ")}: the ${ruling.fault} is at fault: ${ruling.reason}`;
        emit({ type: "warning-raised", code: "claim.side", message });
      }
      return ruling;
    },
  );
  return ruling;
}
