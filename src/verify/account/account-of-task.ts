import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import { runTests } from "../../languages/run-tests.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, sortChange } from "../change/change-parts.ts";
import { type ChangedMeaning, changedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { partsByReads } from "../change/parts-by-reads.ts";
import type { TestedTree } from "../measure/mutate-tree.ts";
import type { OwnSuite } from "../measure/repeat-on-result.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import { accountChange, type MetCode } from "./account-change.ts";
import { type AskedFor, markAsked } from "./asked-places.ts";
import { meetUnits, tryUnits } from "./meet-units.ts";
import { markNeeded } from "./needed-places.ts";
import { noticedData } from "./notice-data.ts";
import { onlyThrew } from "./only-throws.ts";
import { projectTexts, sourcesOf, textOf, usedIn } from "./texts-of-tree.ts";
import { markUnasked } from "./unasked-places.ts";
import { markUnsaid } from "./unsaid-guards.ts";

/** The finished change of a task, with what its proof measured. */
export interface TaskChange extends Surroundings {
  artifacts: ArtifactStore;
  task: string;
  parsers: SyntaxParsers;
  /** Where the work began, and the finished change. */
  trees: { base: string; result: string };
  /** The finished change as its tests run: what the work began with configures them. */
  judged: string;
  isTest: (path: string) => boolean;
  /** The tester's tests, seen and unseen. */
  tests: readonly SourceFile[];
  /** Of the finished change; null where something else was measured, or nothing. */
  measured: Pick<Measured, "mutants" | "coverage"> | null;
  /** The project's own tests before the change; null: it has none. */
  own: OwnSuite | null;
  asked: AskedFor;
  /** Whether the goal is to make something behave otherwise: then nothing else is delivered unasked, not even comments. */
  behaves: boolean;
  leave: readonly string[];
  layOut: (name: string, tree: string) => ReturnType<TestedTree["makeWorkspace"]>;
  budgetMs: number;
}

/**
 * Every place of a task's change with its standing. Tests of the requirements show what they notice small changes of.
 * What they leave open must be as before, or have been asked for by name. The tester's tests are no part of the change.
 */
export async function accountOfTask(change: TaskChange): Promise<AccountLine[]> {
  const { artifacts, parsers, trees, isTest, measured, own } = change;
  const given = new Set(change.tests.map(({ path }) => path));
  const all = await sortChange(artifacts, parsers, trees, isTest);
  const files = all.filter(({ path }) => !given.has(path));
  const read = (own: readonly ChangedFile[]) => changedMeaning(artifacts, change, trees, own);
  const known = measured?.mutants;
  const first: Known = {
    files,
    changes: await read(files),
    met: {
      coverage: measured?.coverage ?? null,
      lines: null,
      mutants: known && known.problem === null ? known.results : [],
      behaviour: [],
    },
    noticed: new Set(),
  };
  const begun = accountWith(change, first);
  if (openLines(markAsked(begun, change.asked)).length === 0) return markAsked(begun, change.asked);
  const laid = artifacts.overlay(change.task, change.judged, [...change.tests]);
  const tree = await testedTree(change, laid, [...given], pathsOf(first.changes));
  // What the runs opened says better than names whose each file is.
  const sorted = partsByReads(files, tree.traced.reads ?? [], isTest, sourcesOf(artifacts, trees.result, isTest));
  const isOther = sorted.some(({ part }, index) => part !== files[index]?.part);
  const told: Known = { ...first, files: sorted, changes: isOther ? await read(sorted) : first.changes };
  const shown = await withRequirementTests(change, told, tree);
  const units = shown.changes.changes;
  const account = markNeeded(
    accountWith(change, shown),
    units,
    ({ path, span }) => (span ? (tree.read(path) ?? "").slice(span.start, span.end) : ""),
    await onlyThrew(units, (path) => artifacts.readFile(trees.base, path)?.toString("utf8") ?? null, parsers),
  );
  const open = openUnits(account, shown.changes);
  if (open.length === 0 || !own) return markAsked(account, change.asked);
  const whole = await testedTree(change, laid, [], pathsOf(shown.changes));
  const old = artifacts.overlay(change.task, trees.base, [...change.tests]);
  const held = { tests: laid, "old-tests": old, before: trees.base, after: trees.result };
  const layOut = async (side: keyof typeof held) => (await change.layOut(`compare-${side}`, held[side])).directory;
  const met = await meetUnits(whole, open, layOut, change.budgetMs);
  const kept = accountWith(change, { ...shown, met });
  const isOpen = new Set(open.map(placeOfUnit));
  const settled = account.map((line, index) => (isOpen.has(placeOf(line)) ? (kept[index] ?? line) : line));
  return markAsked(settled, change.asked);
}

/** What is known of the change by now. */
interface Known {
  files: readonly ChangedFile[];
  changes: ChangedMeaning;
  met: MetCode;
  noticed: ReadonlySet<string>;
}

function accountWith(change: TaskChange, { files, changes, met, noticed }: Known): AccountLine[] {
  const { artifacts, trees, isTest, tests, leave } = change;
  const given = new Set(tests.map(({ path }) => path));
  const killers = met.mutants.flatMap(({ killedBy }) => killedBy);
  const account = accountChange({
    files,
    changes,
    leftOut: [],
    showing: new Set(killers.filter((id) => given.has(fileOf(id)))),
    met,
    noticed,
    text: (file, side) => textOf(artifacts, file[side]),
    used: usedIn(artifacts, change.judged),
    sources: sourcesOf(artifacts, trees.result, isTest),
    texts: projectTexts(artifacts, trees.result, isTest),
    paths: () => artifacts.list(trees.result).map(({ path }) => path),
    bar: { mutationScore: null, problem: null, asked: true },
    leave,
  });
  const unsaid = markUnsaid(account, {
    units: changes.changes,
    met,
    read: (path) => artifacts.readFile(trees.result, path)?.toString("utf8") ?? "",
    said: [change.asked.words, ...tests.map(({ content }) => content)].join("\n"),
  });
  const text = (file: ChangedFile, side: "before" | "after") => textOf(artifacts, file[side]);
  return change.behaves ? markUnasked(unsaid, { asked: change.asked, files, units: changes.changes, text }) : unsaid;
}

/** Small changes of the parts that nothing is known of, and other values in data. */
async function withRequirementTests(change: TaskChange, known: Known, tree: TestedTree): Promise<Known> {
  const { artifacts, task, trees, tests, layOut, budgetMs } = change;
  const given = new Set(tests.map(({ path }) => path));
  const account = accountWith(change, known);
  const units = openUnits(account, known.changes);
  const tried = units.length === 0 ? [] : await tryUnits(tree, units, budgetMs);
  const { tests: ran } = tree.traced.report;
  const showing = new Set(ran.filter((test) => given.has(test.file) && !isRed(test)).map(({ id }) => id));
  const run = async (_: string, spoiled: string, files: string[]) => {
    const { directory } = await layOut("unseen", artifacts.overlay(task, spoiled, [...tests]));
    return runTests({ ...change, workspace: directory, files });
  };
  const open = new Set(openLines(markAsked(account, change.asked)).map(({ path }) => path));
  const data = known.files.filter(({ path }) => open.has(path));
  const judged = { base: trees.base, result: change.judged };
  const noticed = await noticedData({ artifacts, task, trees: judged, files: data, showing, run });
  return { ...known, met: { ...known.met, mutants: [...known.met.mutants, ...tried] }, noticed };
}

/** The tree with these tests, watched; no files: all tests. */
async function testedTree(
  { artifacts, own, layOut, ...change }: TaskChange,
  laid: string,
  files: string[],
  paths: string[],
): Promise<TestedTree> {
  const read = (path: string) => artifacts.readFile(laid, path)?.toString("utf8") ?? null;
  const limits = files.length === 0 && own ? suiteLimits(change.limits, own.baseline) : change.limits;
  const { directory } = await layOut("unseen", laid);
  const traced = await traceTests({ ...change, limits, workspace: directory, files, paths, read });
  return { ...change, limits, read, traced, makeWorkspace: (name) => layOut(name, laid) };
}

const pathsOf = ({ changes }: ChangedMeaning): string[] => [
  ...new Set(changes.filter(({ after }) => after !== null).map(({ path }) => path)),
];

function openUnits(account: readonly AccountLine[], { changes }: ChangedMeaning): UnitChange[] {
  const open = new Set(openLines(account).map(placeOf));
  return changes.filter((unit) => unit.after !== null && open.has(placeOfUnit(unit)));
}

const placeOfUnit = ({ path, name }: UnitChange): string => placeOf({ path, unit: name });

const fileOf = (id: string): string => id.split("::")[0] ?? id;
