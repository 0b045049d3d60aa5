import { type AccountLine, isPartly, openLines, placeOf } from "../../domain/evidence/account.ts";
import { describeNoticed } from "../../domain/evidence/describe-noticed.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { code, text } from "./markdown.ts";

const MARKS = { proven: "✅", "proven-in-part": "🟡", checked: "✅", "not-proven": "❌", refused: "⛔" } as const;
const NAMED = 3;

/** The evidence as a comment below a pull request: at most ten lines, the verdict first. */
export function renderComment(document: EvidenceDocument): string {
  const { verdict, requirements, suite, mutants, account = [], behaviour = [], notChecked, hashes } = document;
  const shown = requirements.filter(({ support }) => support !== "none").length;
  const missing = requirements.filter(({ support }) => support === "none").map(({ id }) => id);
  const open = openLines(account);
  const places = (lines: AccountLine[]) => some(lines.map((line) => code(placeOf(line))));
  const [gaps, unjudged] = [open.filter(isPartly), open.filter((line) => !isPartly(line))];
  const otherwise = behaviour.flatMap(({ differences }) => differences);
  const some = (items: string[]) =>
    `${items.slice(0, NAMED).join(", ")}${items.length > NAMED ? ` and ${items.length - NAMED} more` : ""}`;
  const lines = [
    ...(requirements.length > 0
      ? [`requirements shown: ${shown} of ${requirements.length}${missing.length > 0 ? `; not ${some(missing)}` : ""}`]
      : []),
    ...(suite?.after ? [`suite: ${suite.after.passed} passed, ${suite.after.red} red`] : []),
    ...(mutants ? [`mutants: ${describeNoticed(mutants)}`] : []),
    ...(otherwise.length > 0
      ? [
          `behaves otherwise: ${some(otherwise.map(({ call, before, after }) => code(`${call}: ${before} → ${after}`)))}`,
        ]
      : []),
    ...(gaps.length > 0 ? [`with a gap: ${places(gaps)}`] : []),
    ...(unjudged.length > 0 ? [`not judged: ${places(unjudged)}`] : []),
    ...(notChecked.length > 0 ? [`not checked: ${some(notChecked.map(({ check }) => text(check)))}`] : []),
    ...(hashes.resultTree
      ? [`tree ${code(hashes.resultTree.slice(0, 12))}; check it: \`miracle verify BUNDLE --rerun\``]
      : []),
  ];
  return `### ${MARKS[verdict.status]} ${text(verdict.summary)}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
}
