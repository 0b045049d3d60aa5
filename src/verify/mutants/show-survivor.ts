import { type Mutant, type MutantReport, survivors } from "../../domain/evidence/mutant-report.ts";
import { mutate } from "./make-mutants.ts";

/** What a tester is shown of a mutant that no test noticed: the lines as they are and as they could be, and nothing else. */
interface ShownSurvivor {
  id: string;
  path: string;
  line: number;
  before: string;
  after: string;
}

const MOST_SHOWN = 8;
const LONGEST = 400;

/**
 * Survivors that a test of a requirement ran with, of different lines first. What no test runs is named as uncovered
 * instead: to ask for tests of such lines would be to show the tester more of the change than its requirements do.
 */
export function worthSharpening(report: MutantReport | null): Mutant[] {
  if (!report || report.problem !== null) return [];
  const ran = new Set(report.results.filter(({ reason }) => reason === "").map(({ mutant }) => mutant.id));
  const lines = Map.groupBy(
    survivors(report).filter(({ id }) => ran.has(id)),
    ({ path, line }) => `${path}:${line}`,
  );
  const byLine = [...lines.values()];
  const turns = Math.max(0, ...byLine.map((own) => own.length));
  const ordered = Array.from({ length: turns }, (_, turn) => byLine.flatMap((own) => own[turn] ?? [])).flat();
  return ordered.slice(0, MOST_SHOWN);
}

export function showSurvivor(mutant: Mutant, content: string): ShownSurvivor {
  const { id, path, line, from, to, replacement } = mutant;
  const start = content.lastIndexOf("\n", from - 1) + 1;
  const found = content.indexOf("\n", to);
  const end = found === -1 ? content.length : found;
  const before = content.slice(start, end);
  const after = mutate(before, { from: from - start, to: to - start, replacement });
  return { id, path, line, before: clip(before), after: clip(after) };
}

const clip = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`);
