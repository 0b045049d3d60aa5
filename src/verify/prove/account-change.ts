import { basename, extname } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import { hasLine, type LineRange, toRanges } from "../../domain/evidence/line-range.ts";
import type { MutantReport, MutantResult } from "../../domain/evidence/mutant-report.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { accountOfUnit } from "../account/account-of-code.ts";
import { accountOfFile, isTypes } from "../account/account-of-files.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import type { ComparedTests } from "./compare-change.ts";
import type { MeasuredChange } from "./measure-change.ts";
import { testsOfUnit } from "./tests-of-unit.ts";

interface ChangeToAccount {
  files: readonly ChangedFile[];
  changes: ChangedMeaning;
  /** Tracked files that neither tree holds. */
  leftOut: readonly AccountLine[];
  compared: ComparedTests;
  measured: MeasuredChange;
  behaviour: readonly FunctionBehaviour[];
  /** Data files of which tests that turned green notice other values. */
  noticed: ReadonlySet<string>;
  text: (file: ChangedFile, side: "before" | "after") => string | null;
  /** The project's code, as far as it is no test. */
  sources: () => readonly string[];
  mutationScore: number | null;
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

function fileLines(file: ChangedFile, { text, sources, noticed }: ChangeToAccount): AccountLine[] {
  const [before, after] = [text(file, "before"), text(file, "after")];
  return accountOfFile({ file, before, after, named: isNamed(file.path, sources), noticed: noticed.has(file.path) });
}

/** Whether code speaks of a file: by its name, or of all files with its ending. */
function isNamed(path: string, sources: () => readonly string[]): boolean {
  const name = basename(path);
  const isTop = !path.includes("/");
  const ending = new RegExp(`["'\`*]\\${extname(path) || ".?"}["'\`]`);
  return sources().some((source) => source.includes(name) || (!isTop && ending.test(source)));
}

function unitLines(given: ChangeToAccount): AccountLine[] {
  const { changes, compared, measured, behaviour, mutationScore } = given;
  const turned = new Set(compared.tests.filter(({ role }) => role === "red-to-green").map(({ id }) => id));
  const notTried = measured.notChecked.find(({ check }) => check === "mutants")?.why;
  const bar = { mutationScore, problem: measured.mutants ? measured.mutants.problem : (notTried ?? null) };
  return changes.changes.map((change) =>
    accountOfUnit(
      {
        change,
        uncovered: uncoveredOf(change, measured),
        mutants: mutantsOf(change, measured.mutants),
        turned: testsOfUnit(change, measured.lines, turned),
        behaviour: behaviour.find((one) => isOf(one, change)) ?? null,
        around: behaviour.filter(({ path, kind }) => path === change.path && kind === "function"),
        missed: change.relation === "removed" && isMissed(change, given),
      },
      bar,
    ),
  );
}

const isOf = ({ path, name, kind }: FunctionBehaviour, change: UnitChange): boolean =>
  path === change.path && name === change.name && kind === (change.kind === "function" ? "function" : "value");

/**
 * Whether something that is gone may be missed. What the file kept to itself and nothing speaks of any more is not; an
 * import only gave names to its own file.
 */
function isMissed({ kind, name, path, before }: UnitChange, { files, text, sources }: ChangeToAccount): boolean {
  const file = files.find((one) => one.path === path);
  const words = (file && text(file, "before"))?.split("\n").slice((before?.from ?? 1) - 1, before?.to) ?? [];
  const now = file ? (text(file, "after") ?? "") : "";
  if (kind === "import") {
    const isName = /^[\w$.]+$/.test(name);
    return !isName || /^\s*export\b/.test(words[0] ?? "") || says(now, name.split(".")[0] ?? name);
  }
  const own = name.split(".").at(-1) ?? name;
  const isPrivate = /^[_#]/.test(own) || (/\.[cm]?[jt]sx?$/.test(path) && !/\bexports?\b/.test(words.join("\n")));
  return kind === "statement" || !isPrivate || sources().some((source) => says(source, own));
}

const says = (source: string, word: string): boolean =>
  new RegExp(`(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])`).test(source);

/** Units may share lines: what lies within it is its own. */
const mutantsOf = ({ path, span }: UnitChange, report: MutantReport | null): MutantResult[] =>
  (report?.results ?? []).filter(
    ({ mutant }) => mutant.path === path && span !== null && span.start <= mutant.from && mutant.to <= span.end,
  );

/** Null where nobody could watch the file. */
function uncoveredOf({ path, lines }: UnitChange, { coverage }: MeasuredChange): LineRange[] | null {
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
