import { z } from "zod";
import { briefJudge } from "../../agents/briefings/judge.ts";
import { JudgeResult } from "../../agents/finish.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import { type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import { isCalled } from "../../domain/evidence/match-test.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { isQuotedFrom, owedText, specText } from "../../verify/held-out/quote.ts";
import { readUses } from "../../verify/held-out/read-uses.ts";
import { strikeOut } from "../../verify/held-out/strike-out.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";

const JUDGE_TURNS = 3;

export interface Disputed {
  spec: Spec;
  test: HeldOutTest;
  file: TestFile;
  visible: TestFile[];
  tree: string;
}

/** The judge's ruling, and the part of it that the coder may be told. */
const Ruled = z.object({ note: z.string() });

/**
 * Settles a dispute: the visible tests are green, this one is red. A new conversation, which sees neither the code nor
 * its author, must quote the words of the spec that entail the assertion. Without such words the test is void. The
 * quote is checked letter by letter.
 */
export async function judgeDispute(
  run: Run,
  { spec, test, file, visible, tree }: Disputed,
): Promise<{ dispute: Dispute; note: string }> {
  const { goal } = run.request;
  const said = specText(goal, spec);
  const requirement = spec.requirements.find((item) => item.id === test.requirement);
  if (!requirement) throw new Error(`a test of ${test.requirement}, which the spec does not have`);
  const answer = await run.ask("judge", {
    name: "dispute",
    briefing: [
      briefJudge({
        spec: said,
        requirement,
        test: { path: file.path, content: file.content },
        name: test.test,
        failure: withoutCode(test.reason),
      }),
    ],
    result: JudgeResult,
    workbench: readingBench(run, null, tree),
    maxTurns: JUDGE_TURNS,
    check: async ({ entailed, quote }) =>
      entailed && !isQuotedFrom(owedText(goal, spec), quote)
        ? "these words do not stand in the spec, or only among what is out of scope: copy them exactly, or say that it is not entailed"
        : undefined,
  });
  const result = answer ?? {
    entailed: false,
    quote: "",
    reason: "no words of the spec were quoted for it",
    behaviour: "",
  };
  const dispute: Dispute = {
    test: heldOutId(test),
    requirement: test.requirement,
    ruling: result.entailed ? "upheld" : "void",
    quote: result.entailed ? result.quote : "",
    reason: result.reason,
  };
  const input = { dispute, behaviour: result.behaviour, file: { path: file.path, content: file.content } };
  const { note } = await run.step(
    { kind: "decision", name: "dispute-settled", input, output: Ruled },
    async ({ emit }) => {
      const { ruling, quote, reason } = dispute;
      emit({ type: "dispute-settled", test: dispute.test, requirement: test.requirement, ruling, quote, reason });
      const uses = await readUses(run.parts.parsers, file, new Set());
      const own = uses?.tests.find((one) => isCalled(one.name, test.test));
      // If the test cannot be parsed, none of the judge's own words are passed on, only those of the spec.
      const behaviour = own
        ? strikeOut(result.behaviour, own.literals, [said, ...visible.map((one) => one.content)])
        : "";
      return { note: `${test.requirement}: the spec says “${quote}”. ${behaviour}`.trim() };
    },
  );
  return { dispute, note };
}

/** Keeps the expected and the actual value. Removes lines of the code under test and stack frames. */
function withoutCode(message: string): string {
  const lines = message.split("\n");
  const said = lines.filter((line) => /^E( |$)/.test(line)).map((line) => line.slice(1).trimStart());
  const plain = said.length > 0 ? said : lines.filter((line) => !/^\s+at /.test(line)).slice(0, 12);
  return plain.join("\n");
}
