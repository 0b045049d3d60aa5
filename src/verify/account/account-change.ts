import type { AccountLine } from "../../domain/evidence/account.ts";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { matchesAny } from "../../workspace/glob.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { speaksOf, speaksOfEnding } from "../change/spoken-of.ts";
import { accountOfUnit, type Bar } from "./account-of-code.ts";
import { accountOfFile, isTypes } from "./account-of-files.ts";
import { saysWord } from "./says-word.ts";
import { testsOfUnit } from "./tests-of-unit.ts";
import { unitName } from "./unit-mutants.ts";

/** How tests met the changed code. */
export interface MetCode {
  coverage: CoverageReport | null;
  /** Which lines of the changed files each test runs; null: nobody could watch. */
  lines: RunLines | null;
  mutants: readonly MutantResult[];
  /** Old and new code with the same inputs. */
  behaviour: readonly FunctionBehaviour[];
}

export interface ChangeToAccount {
  files: readonly ChangedFile[];
  changes: ChangedMeaning;
  /** Tracked files that neither tree holds. */
  leftOut: readonly AccountLine[];
  /** Tests that show what the change does. */
  showing: ReadonlySet<string>;
  met: MetCode;
  /** Data files in which these tests notice other values. */
  noticed: ReadonlySet<string>;
  text: (file: ChangedFile, side: "before" | "after") => string | null;
  /** Whether tests ran with this file as the change left it. */
  used: (file: ChangedFile) => boolean;
  /** The project's code, as far as it is no test. */
  sources: () => readonly string[];
  /** Every path of the result. */
  paths: () => readonly string[];
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
  const lines = [
    ...files.filter((file) => !isCode(file)).flatMap((file) => fileLines(file, given)),
    ...[...unreadable].map(([path, why]): AccountLine => ({ path, standing: "not-judged", why })),
    ...unitLines(given),
    ...code
      .filter(({ path }) => !read.has(path))
      .map(({ path }): AccountLine => ({ path, standing: "inert", why: "only comments and layout differ" })),
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

/** A file of code may change its content and who may run it. */
const modeLine = ({ path, before, after }: ChangedFile): AccountLine[] =>
  before && after && before.permissions !== after.permissions
    ? [{ path, standing: "not-judged", why: "who may run it is another" }]
    : [];

function fileLines(file: ChangedFile, { text, sources, paths, noticed, used }: ChangeToAccount): AccountLine[] {
  const [before, after] = [text(file, "before"), text(file, "after")];
  return accountOfFile({
    ...{ file, before, after, isRead: isRead(sources), noticed: noticed.has(file.path), used: used(file) },
    named: isNamed(file.path, sources),
    ignores: (patterns) => patterns.length > 0 && paths().some((path) => matchesAny(patterns, path)),
  });
}

/** Whether code asks a manifest for this field. That a version is shown somewhere is no reason to keep it, to reckon is. */
const isRead = (sources: () => readonly string[]) => (field: string) =>
  sources().some((text) => {
    if (!text.includes("package.json")) return false;
    return field === "version" ? RECKONS.test(text) : saysWord(text, field);
  });
const RECKONS =
  /\bversion["'\]]*\s*(\??\.\s*\w+\s*\(|\[|[!=]==?|[<>])|([!=]==?|(?<!=)[<>]=?)\s*[\w.]*\bversion\b|\b(Number|parseInt|parseFloat|\w*[cC]ompare\w*|satisfies|[gl]te?|major|minor)\([^)]*\bversion\b/;

/** Whether code speaks of a file, or of all files with its ending that are not at the top. */
const isNamed = (path: string, sources: () => readonly string[]): boolean =>
  sources().some((source) => speaksOf(source, path) || (path.includes("/") && speaksOfEnding(source, path)));

const unitLines = (given: ChangeToAccount): AccountLine[] =>
  given.changes.changes.map((change) =>
    accountOfUnit(
      {
        change,
        uncovered: uncoveredOf(change, given.met),
        mutants: mutantsOf(change, given.changes.changes, given.met.mutants),
        turned: testsOfUnit(change, given.met.lines, given.showing),
        behaviour: given.met.behaviour.find((one) => isOf(one, change)) ?? null,
        around: given.met.behaviour.filter(({ path, kind }) => path === change.path && kind === "function"),
        missed: change.relation === "removed" && isMissed(change, given),
        used: change.kind === "import" && isUsed(change, given.met),
        callable: change.kind === "statement" && holdsFunction(change, given),
      },
      given.bar,
    ),
  );

const FUNCTION = /\blambda\b|=>|\bfunction\b|\bfunc\b|\)\s*\{/;

/** Of a statement: whether somebody may call what it makes. */
function holdsFunction({ path, span }: UnitChange, { files, text }: ChangeToAccount): boolean {
  const file = files.find((one) => one.path === path);
  const now = file ? text(file, "after") : null;
  return now !== null && span !== null && FUNCTION.test(now.slice(span.start, span.end));
}

const isOf = ({ path, name, kind }: FunctionBehaviour, change: UnitChange): boolean =>
  path === change.path && name === change.name && kind === (change.kind === "function" ? "function" : "value");

/**
 * Whether something that is gone may be missed. What the file kept to itself and nothing speaks of any more is not; an
 * import only gave names to its own file, unless nothing else loads what it loaded.
 */
function isMissed({ kind, name, path, before, acts }: UnitChange, given: ChangeToAccount): boolean {
  const { files, text, sources } = given;
  const file = files.find((one) => one.path === path);
  const words = (file && text(file, "before"))?.split("\n").slice((before?.from ?? 1) - 1, before?.to) ?? [];
  const now = file ? (text(file, "after") ?? "") : "";
  if (kind === "import") {
    const isName = /^[\w$.]+$/.test(name);
    if (!isName || /^\s*export\b/.test(words[0] ?? "") || saysWord(now, name.split(".")[0] ?? name)) return true;
    return [...loadedBy(words.join("\n")), name].some((module) => isUnloaded(module, given));
  }
  const own = name.split(".").at(-1) ?? name;
  // What Python calls by itself (`__repr__`, `_missing_`) nobody has to speak of; a decorator may have passed it on.
  if (/^_.*_$/.test(own) || (kind === "function" && acts)) return true;
  const isPrivate = /^[_#]/.test(own) || (/\.[cm]?[jt]sx?$/.test(path) && !/\bexports?\b/.test(words.join("\n")));
  return kind === "statement" || !isPrivate || sources().some((source) => saysWord(source, own));
}

/** The last names of the modules that an import says. */
const loadedBy = (text: string): string[] =>
  [...text.matchAll(/\bfrom\s+["'.]*([\w./-]+)|\bimport\s+([\w.]+)|\brequire\(["'.]*([\w./-]+)/g)].flatMap(
    ([, ...said]) =>
      said.flatMap(
        (one) =>
          one
            ?.replace(/\.[cm]?[jt]sx?$/, "")
            .split(/[./]/)
            .at(-1) ?? [],
      ),
  );

/** A file of the project that nothing speaks of any more: what it does when it is loaded is not done. */
function isUnloaded(module: string, { paths, sources }: ChangeToAccount): boolean {
  const file = new RegExp(`(^|/)${RegExp.escape(module)}(\\.py|/__init__\\.py|\\.[cm]?[jt]sx?|/index\\.[cm]?[jt]sx?)$`);
  return paths().some((path) => file.test(path)) && !sources().some((source) => saysWord(source, module));
}

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

/** Null where nobody could watch the file. */
function uncoveredOf({ path, lines }: UnitChange, { coverage }: MetCode): LineRange[] | null {
  const file = coverage?.files.find((one) => one.path === path);
  if (!file) return coverage ? [] : null;
  if (!file.available) return null;
  return toRanges(
    file.uncovered
      .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
      .filter((line) => hasLine(lines, line)),
  );
}

/** `src/a.py`, `src/`, or `src/a.py total`. */
const isLeft = ({ path, unit, standing }: AccountLine, leave: readonly string[]): boolean =>
  standing === "not-judged" &&
  leave.some((one) => {
    const plain = one.replace(/^\.\//, "");
    if (plain.endsWith("/")) return path.startsWith(plain);
    return plain === path || plain === `${path} ${unit}` || path.startsWith(`${plain}/`);
  });

const byPlace = (a: AccountLine, b: AccountLine): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : (a.lines?.[0]?.from ?? 0) - (b.lines?.[0]?.from ?? 0);
