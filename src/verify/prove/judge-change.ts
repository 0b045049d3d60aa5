import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import { describeLines } from "../../domain/evidence/line-range.ts";
import { isKilled, type MutantReport, survivors } from "../../domain/evidence/mutant-report.ts";
import type { Oracle } from "../../domain/evidence/oracle.ts";
import { executed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { Finding } from "../../domain/finding.ts";
import type { GoalKind } from "../../domain/plan/spec.ts";
import type { ChangePart } from "../change/change-parts.ts";
import type { BaseMutants } from "../measure/mutate-base.ts";
import type { ComparedTests } from "./compare-change.ts";
import { keptDoubts } from "./kept-doubts.ts";

/** Everything that was found out about a change. */
export interface ChangeFacts {
  parts: readonly ChangePart[];
  /** Files of code that are gone, and not merely under another name. */
  deletedSources: readonly string[];
  /** Nothing that does anything was changed: comments, layout, places. */
  isSameMeaning: boolean;
  compared: ComparedTests;
  before: TestReport | null;
  /** Null: there is nothing that could be run as tests. */
  after: TestReport | null;
  accept: EvidenceDocument["accept"];
  /** Null: not measured. */
  coverage: CoverageReport | null;
  mutants: MutantReport | null;
  base: BaseMutants | null;
  flakes: FlakeReport | null;
  scans: readonly Finding[] | null;
  /** A person's own bar; null: none. */
  mutationScore: number | null;
}

/** What a refactoring needs when nobody says otherwise. */
const USUAL_SCORE = 0.8;

/** The group under which the tests that turned green are asked for the mutants they killed. */
export const TURNED = "turned";

const NAMED = 5;

/**
 * The verdict over a change of which nobody knows the goal. A test or an accepted command that turned from red to green
 * shows what the change did. Without one it is a refactoring at best, and holds only if tests that are green on the old
 * code and on the new run every changed line and notice its mutants, and those of the lines that it was before.
 */
export function judgeChange(found: ChangeFacts): { kind: GoalKind; verdict: EvidenceDocument["verdict"] } {
  const kind = kindOf(found);
  const tampering = found.compared.integrity.filter(({ weight }) => weight === "tampering");
  if (tampering.length > 0) {
    const reasons = tampering.map(({ test, path, message }) => `${test ?? path ?? "the tests"} ${message}`);
    const what = tampering.length === 1 ? reasons[0] : `the tests say less than before, in ${tampering.length} places`;
    return { kind, verdict: { status: "refused", summary: `refused: ${what}`, carriedBy: [], reasons } };
  }
  const reasons = [...broken(found), ...doubts(found, kind)];
  const [first, ...more] = reasons;
  if (first !== undefined) {
    const summary = `not proven: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ""}`;
    return { kind, verdict: { status: "not-proven", summary, carriedBy: [], reasons } };
  }
  if (kind === "documentation" || kind === "chore") {
    const what = kind === "documentation" ? "only documentation" : "no code that does anything";
    const summary =
      found.parts.length === 0 ? "checked: nothing was changed" : `checked: ${what} was changed, and nothing broke`;
    return { kind, verdict: { status: "checked", summary, carriedBy: [], reasons: [] } };
  }
  const carriedBy = carriers(found, kind);
  return { kind, verdict: { status: "proven", summary: `proven: ${carried(found, kind)}`, carriedBy, reasons: [] } };
}

/** With no spec the change itself tells. */
function kindOf({ parts, deletedSources, isSameMeaning, compared, accept }: ChangeFacts): GoalKind {
  const changed = new Set(parts);
  if (compared.tests.some(({ role }) => role === "red-to-green") || accept.some(turned)) {
    return changed.has("source") || changed.has("other") ? "fix" : "chore";
  }
  if (changed.has("source")) return isSameMeaning && deletedSources.length === 0 ? "chore" : "refactoring";
  return changed.has("other") || changed.has("test") || changed.has("test-support") || changed.has("test-config")
    ? "chore"
    : "documentation";
}

/** A person's command that failed before and passes now. */
export const turned = ({ before, after, asBefore, brought }: EvidenceDocument["accept"][number]): boolean =>
  after.passed && before?.passed === false && asBefore?.passed !== false && !brought;

/** What speaks against the change. */
function broken({ compared, before, after, accept, scans, flakes }: ChangeFacts): string[] {
  const reasons: string[] = [];
  if (before && before.ending !== "completed") {
    reasons.push(`the tests of the base do not come to their end (${before.ending}): nobody can tell what broke`);
  }
  if (after && after.ending !== "completed") reasons.push(`the tests do not come to their end (${after.ending})`);
  else if (after && executed(after) === 0 && before && executed(before) > 0) reasons.push("no test runs any more");
  const role = (wanted: string) => compared.tests.filter((test) => test.role === wanted).map(({ id }) => id);
  reasons.push(...listed(role("broken"), "passed before and is red now", "passed before and are red now"));
  reasons.push(...listed(role("red"), "is new and red", "are new and red"));
  for (const { command, after: run, asBefore, edited = [] } of accept) {
    if (!run.passed) reasons.push(`$ ${command}: ${run.ending}`);
    else if (asBefore?.passed === false)
      reasons.push(`$ ${command} passes only with ${edited.join(", ")} as the change left it (${asBefore.ending})`);
  }
  for (const { test, why, flag } of compared.questions) reasons.push(`${test} ${why} (if that is meant: ${flag})`);
  for (const { path, line, message } of (scans ?? []).filter(({ blocking }) => blocking).slice(0, NAMED)) {
    reasons.push(`${path}:${line} ${message}`);
  }
  reasons.push(
    ...listed(
      (flakes?.flipped ?? []).map(({ id }) => id),
      "changes its outcome from run to run, and did not before the change",
      "change their outcome from run to run, and did not before the change",
    ),
  );
  return reasons;
}

/** What is missing. Where an accepted command turned green, a person has said what counts as proof. */
function doubts(found: ChangeFacts, kind: GoalKind): string[] {
  const { accept, coverage, after } = found;
  if (kind === "documentation" || kind === "chore" || accept.some(turned)) return [];
  if (!after || executed(after) === 0) return ["there is no test that runs, and no --accept command that turned green"];
  const gone = listed(
    found.deletedSources,
    "was deleted: no test can show that nobody needs it",
    "were deleted: no test can show that nobody needs them",
  );
  return [
    ...gone,
    ...(kind === "refactoring" ? refactoringDoubts(found) : [...uncovered(coverage), ...fixDoubts(found)]),
  ];
}

function refactoringDoubts({ coverage, mutants, base, mutationScore }: ChangeFacts): string[] {
  const needs = "no test turned from red to green, so only tests that were green before can show that nothing changed";
  if (!coverage || coverage.files.some((file) => !file.available)) {
    const missing = coverage?.files.flatMap((file) => (file.available ? [] : [`${file.path} (${file.reason})`])) ?? [];
    const which = missing.length > 0 ? ` of ${missing.slice(0, NAMED).join(", ")}` : "";
    return [`${needs}, and which lines${which} they run is not known`];
  }
  const open = uncovered(coverage);
  if (open.length > 0) return [...open, needs];
  const kept = keptDoubts(base, mutationScore);
  if (kept.length > 0) return kept.map((doubt) => `${needs}, and ${doubt}`);
  if (mutants && mutants.problem !== null) return [`${needs}, and ${mutants.problem}`];
  const ran = (mutants?.results ?? []).filter((result) => isKilled(result) || result.fate === "survived");
  if (ran.length === 0) {
    return base && base.units.length > 0 ? [] : [`${needs}, and the changed lines have no mutant that could be tried`];
  }
  const score = ran.filter(isKilled).length / ran.length;
  const bar = mutationScore ?? USUAL_SCORE;
  return score >= bar ? [] : [`${needs}, and they notice ${percent(score)} of the mutants (needed: ${percent(bar)})`];
}

function fixDoubts({ mutants, base, mutationScore }: ChangeFacts): string[] {
  const untouched = base && base.units.length > 0 ? keptDoubts(base, mutationScore) : [];
  const beside = untouched.map(
    (doubt) => `of what no test that turned green runs only the others can tell, and ${doubt}`,
  );
  if (!mutants || mutants.problem !== null) return beside;
  const ran = mutants.results.filter((result) => isKilled(result) || result.fate === "survived").length;
  const { killed } = mutants.requirements.find(({ id }) => id === TURNED) ?? { killed: null };
  if (ran > 0 && killed?.length === 0) {
    return [...beside, "the tests that turned green notice no mutant of the changed lines: they may test nothing"];
  }
  if (mutationScore === null || mutants.score === null || mutants.score >= mutationScore) return beside;
  return [
    ...beside,
    `the tests notice ${percent(mutants.score)} of the mutants (asked for: ${percent(mutationScore)})`,
  ];
}

const uncovered = (coverage: CoverageReport | null): string[] =>
  (coverage?.files ?? []).flatMap((file) =>
    file.available && file.uncovered.length > 0
      ? [`${linesOf(file.uncovered)} of ${file.path} ${runBy(file.uncovered)}`]
      : [],
  );

type Lines = Parameters<typeof describeLines>[0];
const isOne = (lines: Lines): boolean => lines.length === 1 && lines[0]?.from === lines[0]?.to;
const linesOf = (lines: Lines): string => `${isOne(lines) ? "line" : "lines"} ${describeLines(lines)}`;
const runBy = (lines: Lines): string => `${isOne(lines) ? "is" : "are"} run by no test`;

function carriers({ compared, accept }: ChangeFacts, kind: GoalKind): Oracle[] {
  const roles = kind === "refactoring" ? ["held", "moved", "guard"] : ["red-to-green"];
  const showing = compared.tests.filter(({ role }) => roles.includes(role));
  return [
    ...(accept.some(turned) ? ["accept" as const] : []),
    ...(showing.some(({ origin }) => origin === "own") ? ["own-suite" as const] : []),
    ...(showing.some(({ origin }) => origin === "change") ? ["change-tests" as const] : []),
  ];
}

function carried({ compared, accept, mutants, base }: ChangeFacts, kind: GoalKind): string {
  const commands = accept.filter(turned).length;
  const green = compared.tests.filter(({ role }) => role === "red-to-green").length;
  const held = compared.tests.filter(({ role }) => role === "held" || role === "moved").length;
  if (kind === "refactoring") {
    const reports = [mutants, base?.report ?? null].flatMap((report) => report ?? []);
    const left = reports.reduce((sum, report) => sum + survivors(report).length, 0);
    const noticed = left === 0 ? "every mutant" : `all but ${left} of the mutants`;
    const keeping = held + compared.tests.filter(({ role }) => role === "guard").length;
    const [were, run, notice] = keeping === 1 ? ["is", "runs", "notices"] : ["are", "run", "notice"];
    const before = `${plural(keeping, "test")} that ${were} green on the old code and on the new ${run} every changed line`;
    return reports.length === 0 ? before : `${before}, and ${notice} ${noticed} of it and of what it was`;
  }
  const shown = [
    ...(commands > 0 ? [`${plural(commands, "accepted command")} turned from red to green`] : []),
    ...(green > 0 ? [`${plural(green, "test")} turned from red to green`] : []),
  ];
  return `${shown.join(", ")}${held > 0 ? `, ${plural(held, "test")} held` : ""}`;
}

function listed(ids: readonly string[], one: string, several: string): string[] {
  if (ids.length === 0) return [];
  const more = ids.length - NAMED;
  return [
    `${ids.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""} ${ids.length === 1 ? one : several}`,
  ];
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
const percent = (share: number): string => `${Math.floor(share * 100)} %`;
