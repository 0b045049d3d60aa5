import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { isNoticed } from "../../domain/evidence/mutant-report.ts";
import type { Spec } from "../../domain/plan/spec.ts";

/** What a commit can say of its change. */
export interface ShownResult {
  /** Absent where nobody made one (`--direct`). */
  spec?: Spec | null | undefined;
  evidence?: GatheredEvidence | null;
}

interface Described extends ShownResult {
  task: string;
  goal: string;
  result: string;
}

/** Git's own lists show the first line of a commit whole up to this length. */
const SUBJECT = 72;
const WIDTH = 72;

/** The plan's title, then what the change does and what shows it, as one would want to read it in a year. */
export function commitMessage({ task, goal, result, spec, evidence }: Described): string {
  const parts = [
    subjectOf(spec?.title ?? goal),
    ...(spec ? [spec.requirements.map(({ id, text }) => wrapped(`- ${id}: ${text}`)).join("\n")] : []),
    ...(evidence ? [evidenceLine(evidence, spec !== undefined && spec !== null)] : []),
    `Miracle-Task: ${task}\nMiracle-Snapshot: ${result}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** One line, cut behind a word; git shows a commit without one as nameless. */
function subjectOf(text: string): string {
  const line = text.split("\n")[0]?.trim() ?? "";
  if (line.length <= SUBJECT) return line || "Change";
  const cut = line.slice(0, SUBJECT - 1);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 20 ? cut.lastIndexOf(" ") : cut.length)}…`;
}

/** What was seen, in figures: nothing that the evidence does not hold. */
function evidenceLine({ requirements, suite, mutants }: GatheredEvidence, isPlanned: boolean): string {
  const shown = requirements.filter(({ support }) => support !== "none").length;
  const noticed = mutants?.results.filter(isNoticed).length ?? 0;
  const said = [
    ...(isPlanned ? [`${shown} of ${requirements.length} requirements shown`] : []),
    ...(suite?.after ? [`${suite.after.passed} tests pass, ${suite.before?.passed ?? 0} before`] : []),
    ...(mutants ? [`${noticed} of ${noticed + mutants.counts.survived} mutants noticed`] : []),
  ];
  return said.length === 0 ? "" : wrapped(`Evidence: ${said.join("; ")}.`);
}

/** Wrapped at words; what follows the first line is indented as a list is. */
function wrapped(text: string): string {
  const indent = text.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `${indent}${word}`);
  }
  return lines.join("\n");
}
