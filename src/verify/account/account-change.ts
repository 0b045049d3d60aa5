import type { AccountLine } from "../../domain/evidence/account.ts";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import { isKilled, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { matchesAny } from "../../workspace/glob.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { speaksOf, speaksOfEnding } from "../change/spoken-of.ts";
import { accountOfBare, accountOfFound } from "./account-of-bare.ts";
import { accountOfUnit, type Bar } from "./account-of-code.ts";
import { accountOfFile, isTypes } from "./account-of-files.ts";
import { accountOfMoved } from "./account-of-moved.ts";
import { boundsIn } from "./edges.ts";
import { isListed, isMissed, type ProjectSpeech } from "./is-missed.ts";
import { leftGuard } from "./left-guards.ts";
import { names } from "./left-places.ts";
import { saysWord } from "./says-word.ts";
import { takenOver } from "./taken-over.ts";
import { testsOfUnit } from "./tests-of-unit.ts";
import { unitName } from "./unit-mutants.ts";

/** How tests met the changed code. */
export interface MetCode {
  coverage: CoverageReport | null;
  /** The same of the lines that say the name of a changed statement. */
  readers?: CoverageReport | null;
  /** Which lines of the changed files each test runs; null: nobody could watch. */
  lines: RunLines | null;
  mutants: readonly MutantResult[];
  /** Old and new code with the same inputs. */
  behaviour: readonly FunctionBehaviour[];
}

export interface ChangeToAccount extends ProjectSpeech {
  changes: ChangedMeaning;
  /** Tracked files that neither tree holds. */
  leftOut: readonly AccountLine[];
  /** Tests that show what the change does. */
  showing: ReadonlySet<string>;
  met: MetCode;
  /** Whether tests of this file ran. */
  ran?: (path: string) => boolean;
  /** Data files in which these tests notice other values. */
  noticed: ReadonlySet<string>;
  /** Whether tests ran with this file as the change left it. */
  used: (file: ChangedFile) => boolean;
  bar: Bar;
  /** Paths, or paths with a unit, that a person leaves as they are. */
  leave: readonly string[];
}

/** Every place of a change with its standing. */
export function accountChange(given: ChangeToAccount): AccountLine[] {
  const { files, changes, leftOut } = given;
  const unreadable = new Map(changes.unreadable.map(({ path, why }) => [path, why]));
  const read = new Set([...changes.changes.map(({ path }) => path), ...unreadable.keys()]);
  const code = files.filter((file) => isCode(file));
  const units = unitLines(given);
  const lines = [
    ...files.filter((file) => !isCode(file)).flatMap((file) => fileLines(file, given)),
    ...[...unreadable].map(([path, why]): AccountLine => ({ path, standing: "not-judged", why })),
    ...units,
    ...code.flatMap((file) => placeLines(file, read, units, given)),
    ...accountOfMoved(changes.changes, given),
    ...code.flatMap(modeLine),
    ...leftOut,
  ];
  return lines.map((line) => (isLeft(line, given.leave) ? { ...line, left: true } : line)).sort(byPlace);
}

/** Read part by part; a link has no code of its own. */
const isCode = ({ path, part, before, after }: ChangedFile): boolean =>
  part === "source" &&
  grammarOf(path) !== null &&
  !isTypes(path) &&
  before?.kind !== "link" &&
  after?.kind !== "link" &&
  before?.id !== after?.id;

/** What a file of code is besides its units. */
function placeLines(
  file: ChangedFile,
  read: ReadonlySet<string>,
  units: readonly AccountLine[],
  given: ChangeToAccount,
): AccountLine[] {
  if (!read.has(file.path)) return [accountOfBare(file, given)];
  const own = units.filter(({ path }) => path === file.path);
  if ((file.before && file.after) || own.length === 0) return [];
  if (own.every(({ standing }) => standing === "inert"))
    return [accountOfBare(file, given)].filter(({ standing }) => standing !== "inert");
  const isMoved = own.some(({ standing }) => standing === "same");
  return file.after && !isMoved ? accountOfFound(file, given) : [];
}

/** A file of code may change its content and who may run it. */
const modeLine = ({ path, before, after }: ChangedFile): AccountLine[] =>
  before && after && before.permissions !== after.permissions
    ? [{ path, standing: "not-judged", why: "who may run it is another" }]
    : [];

function fileLines(file: ChangedFile, given: ChangeToAccount): AccountLine[] {
  const { text, sources, paths, noticed, used } = given;
  const [before, after] = [text(file, "before"), text(file, "after")];
  return accountOfFile({
    ...{ file, before, after, isRead: isRead(sources), noticed: noticed.has(file.path), used: used(file) },
    ...{ named: isNamed(file.path, sources), startedBy: startedBy(file, given) },
    ignores: (patterns) => patterns.length > 0 && paths().some((path) => matchesAny(patterns, path)),
  });
}

/** A program among the tests that something else starts by its path judges, too, and none of the runners knows it. */
function startedBy({ path, after }: ChangedFile, { ran, texts }: ChangeToAccount): string | null {
  if (!ran || ran(path) || after?.kind !== "file" || !(SCRIPT.test(path) || grammarOf(path) !== null)) return null;
  return texts().find((one) => one.role === "other" && one.text.includes(path))?.path ?? null;
}
const SCRIPT = /\.(ba|z)?sh$|(^|\/)[^./]+$/;

/** Whether code asks a manifest for this field. That a version is shown somewhere is no reason to keep it, to reckon is. */
const isRead = (sources: () => readonly string[]) => (field: string) =>
  sources().some((text) => {
    if (!MANIFEST.test(text)) return false;
    return field === "version" ? RECKONS.test(text) : saysWord(text, field);
  });
const MANIFEST = /\bpackage\.json\b|\bpyproject\.toml\b|\bimportlib[._]metadata\b|\bpkg_resources\b/;
const RECKONS =
  /\bversion["'\]]*\s*(\??\.\s*\w+\s*\(|\[|[!=]==?|[<>])|([!=]==?|(?<!=)[<>]=?)\s*[\w.]*\bversion\b|\b(Number|parseInt|parseFloat|\w*[cC]ompare\w*|satisfies|[gl]te?|major|minor)\([^)]*\bversion\b/;

/** Whether code speaks of a file, or of all files with its ending that are not at the top. */
const isNamed = (path: string, sources: () => readonly string[]): boolean =>
  sources().some((source) => speaksOf(source, path) || (path.includes("/") && speaksOfEnding(source, path)));

function unitLines(given: ChangeToAccount): AccountLine[] {
  const { changes } = given.changes;
  const called = given.met.behaviour.filter(({ kind }) => kind === "function");
  // A function that changed passes its difference on to those that call it, which says nothing of anything else.
  const isPassedOn = changes.some(({ kind, relation }) => kind === "function" && !/^(same|inert)$/.test(relation));
  return changes.map((change) =>
    accountOfUnit(
      {
        change,
        uncovered: uncoveredOf(change, given.met),
        mutants: mutantsOf(change, changes, given.met.mutants),
        turned: testsOfUnit(change, given.met.lines, given.showing),
        behaviour: given.met.behaviour.find((one) => isOf(one, change)) ?? null,
        around: called.filter(({ path }) => path === change.path),
        untouched: isPassedOn ? [] : called.filter(({ path }) => path === change.path),
        missed: change.relation === "removed" && isMissed(change, given),
        used: change.kind === "import" && isUsed(change, given.met),
        unrunUses: change.kind === "statement" ? unrunUses(change, given.met) : [],
        takesOver: takenOver(change, textBefore(change, given)),
        callable: change.kind === "statement" && holdsFunction(change, given),
        ...(change.kind === "function" && change.relation === "changed" && edited(change, given)),
        listed: change.kind === "import" && change.relation === "added" && isListed(change, given),
      },
      given.bar,
    ),
  );
}

/** Lines that say the name of a changed statement, and that no test runs. */
function unrunUses({ path, uses }: UnitChange, { readers }: MetCode): LineRange[] {
  const file = readers?.files.find((one) => one.path === path);
  if (!file?.available) return [];
  const unrun = file.uncovered.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  return toRanges(unrun.filter((line) => hasLine(uses, line)));
}

function textBefore({ path }: UnitChange, { files, text }: ChangeToAccount): string | null {
  const file = files.find((one) => one.path === path);
  return file ? text(file, "before") : null;
}

/** What only its two texts tell of a function. */
function edited({ path, before, after }: UnitChange, { files, text }: ChangeToAccount) {
  const file = files.find((one) => one.path === path);
  const [old, now] = file ? [text(file, "before"), text(file, "after")] : [];
  if (!old || !now || !before || !after) return {};
  const own = [linesOf(old, before), linesOf(now, after)] as const;
  return { bounds: boundsIn(own[0], old), unguarded: path.endsWith(".py") ? leftGuard(...own) : null };
}

const linesOf = (text: string, { from, to }: LineRange): string =>
  text
    .split("\n")
    .slice(from - 1, to)
    .join("\n");

const FUNCTION = /\blambda\b|=>|\bfunction\b|\bfunc\b|\)\s*\{/;

/** Of a statement: whether somebody may call what it makes. */
function holdsFunction({ path, span }: UnitChange, { files, text }: ChangeToAccount): boolean {
  const file = files.find((one) => one.path === path);
  const now = file ? text(file, "after") : null;
  return now !== null && span !== null && FUNCTION.test(now.slice(span.start, span.end));
}

const isOf = ({ path, name, kind }: FunctionBehaviour, change: UnitChange): boolean =>
  path === change.path && name === change.name && kind === (change.kind === "function" ? "function" : "value");

/** Units may share lines, and a function holds its docstring: what lies within the smallest one is its own. */
const mutantsOf = (unit: UnitChange, units: readonly UnitChange[], results: readonly MutantResult[]): MutantResult[] =>
  results.filter(({ mutant }) => {
    if (mutant.of !== undefined) return mutant.path === unit.path && mutant.of === unitName(unit);
    const around = units.filter((one) => holds(one, mutant)).sort((a, b) => widthOf(a) - widthOf(b));
    return around[0] === unit;
  });

const holds = ({ path, span }: UnitChange, mutant: MutantResult["mutant"]): boolean =>
  mutant.path === path && span !== null && span.start <= mutant.from && mutant.to <= span.end;

const widthOf = ({ span }: UnitChange): number => (span ? span.end - span.start : 0);

const isUsed = ({ path, uses }: UnitChange, { coverage }: MetCode): boolean => {
  const file = coverage?.files.find((one) => one.path === path);
  return (
    file?.available === true &&
    file.covered.some(({ from, to }) => uses.some((use) => use.from <= to && from <= use.to))
  );
};

/** Null where nobody could watch the file. A line whose mutant a test notices runs, whoever watched it: built code may be what ran. */
function uncoveredOf({ path, lines }: UnitChange, { coverage, mutants }: MetCode): LineRange[] | null {
  const file = coverage?.files.find((one) => one.path === path);
  if (!file) return coverage ? [] : null;
  if (!file.available) return null;
  const noticed = mutants
    .filter((one) => one.mutant.path === path && isKilled(one))
    .map(({ mutant }) => mutant.statement);
  return toRanges(
    file.uncovered
      .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
      .filter((line) => hasLine(lines, line) && !hasLine(noticed, line)),
  );
}

const isLeft = (line: AccountLine, leave: readonly string[]): boolean =>
  line.standing === "not-judged" && leave.some((one) => names(one, line));

const byPlace = (a: AccountLine, b: AccountLine): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : (a.lines?.[0]?.from ?? 0) - (b.lines?.[0]?.from ?? 0);
