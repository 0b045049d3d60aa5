import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { fail } from "../../domain/failure.ts";
import type { Language } from "../../languages/language.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import { judgingTree } from "../integrity/judging-tree.ts";
import { chooseLanguages } from "./choose-language.ts";
import { openSuites } from "./open-suites.ts";
import type { ProveParts } from "./prove-parts.ts";
import { SuiteRunner } from "./suite-runner.ts";

export interface Rerun {
  tests: number;
  /** One line for each test that came out differently. */
  differences: string[];
}

/** Runs the tests of a bundle again, on its own trees in clean checkouts, and compares what each one says. */
export async function rerunBundle(
  directory: string,
  document: EvidenceDocument,
  project: string,
  parts: ProveParts,
): Promise<Rerun> {
  const result = treeOf(directory, BUNDLE.resultTree, document.hashes.resultTree, parts);
  const base = treeOf(directory, BUNDLE.baseTree, document.hashes.baseTree, parts);
  if (result === null) throw noTree();
  const changed = document.change.files.map(({ path }) => path);
  const languages = chooseLanguages(parts, base === null ? [result] : [base, result], changed);
  const [language] = languages;
  if (!language) throw noTree();
  const { toolchain, others } = await openSuites(parts, languages, project);
  const suite = new SuiteRunner(parts, language, toolchain, others);
  const after = await suite.run("the tests of the result", await judgedTree(document, languages, base, result, parts));
  const before = base === null ? null : await suite.run("the tests of the base", base);
  const unseen = await runUnseen(directory, document, result, suite, parts);
  const differences = [
    ...compare(document, "after", after),
    ...(base === null ? [] : compare(document, "before", before)),
    ...unseen.differences,
  ];
  return { tests: (after?.tests.length ?? 0) + (before?.tests.length ?? 0) + unseen.tests, differences };
}

/** As `prove` ran it: with the settings of the base. */
async function judgedTree(
  { producer }: EvidenceDocument,
  languages: readonly Language[],
  base: string | null,
  result: string,
  parts: ProveParts,
): Promise<string> {
  if (base === null || producer !== "prove") return result;
  const isTest = (path: string) => languages.some((one) => one.isTestFile(path));
  return (await judgingTree(parts, { base, result }, parts.artifacts.changes(base, result), isTest)).tree;
}

/** Tests that are in no tree are laid over the result, as they were when they decided. */
async function runUnseen(
  directory: string,
  { tests, hashes }: EvidenceDocument,
  tree: string,
  suite: SuiteRunner,
  { artifacts, task }: ProveParts,
): Promise<Rerun> {
  const unseen = tests.filter(({ origin, role }) => origin === "held-out" && role !== "void" && role !== "guard");
  const paths = new Set(unseen.map(({ id }) => fileOf(id)));
  const files = hashes.tests.flatMap(({ path }) => {
    const place = join(directory, BUNDLE.tests + path);
    return paths.has(path) && existsSync(place) ? [{ path, content: readFileSync(place, "utf8") }] : [];
  });
  if (files.length === 0)
    return { tests: 0, differences: unseen.map(({ id }) => `${id}: its text is not in the bundle`) };
  const laid = artifacts.overlay(task, tree, files);
  const names = files.map(({ path }) => path);
  const report = await suite.runFiles("the tests that the coder did not see", laid, names);
  const differences = unseen.flatMap(({ id, after }) => {
    const file = fileOf(id);
    const cases = report.tests.filter((test) => isNamed(test, file, id.slice(file.length + 2)));
    const outcome = cases.find((test) => test.outcome !== "passed")?.outcome ?? cases[0]?.outcome ?? "absent";
    return outcome === after ? [] : [`${id} after the change: ${outcome}, the evidence says ${after}`];
  });
  return { tests: unseen.length, differences };
}

const fileOf = (id: string): string => id.slice(0, id.indexOf("::"));

/** The tree from the bundle, or the artifact store's own of that id. */
function treeOf(directory: string, name: string, id: string | null, { artifacts, task }: ProveParts): string | null {
  if (id === null) return null;
  if (artifacts.has(id)) return id;
  let text: string;
  try {
    text = readFileSync(join(directory, name), "utf8");
  } catch {
    return null;
  }
  return importTree(artifacts, task, PortableTree.parse(JSON.parse(text)));
}

function compare({ tests }: EvidenceDocument, side: "before" | "after", report: TestReport | null): string[] {
  const found = new Map(report?.tests.map(({ id, outcome }) => [id, outcome]) ?? []);
  const expected = tests.filter(
    (test) => test.origin !== "held-out" && test[side] !== "absent" && test.role !== "flaky",
  );
  const known = new Set(tests.map(({ id }) => id));
  const differing = expected.flatMap(({ id, [side]: outcome }) =>
    found.get(id) === outcome
      ? []
      : [`${id} ${side} the change: ${found.get(id) ?? "absent"}, the evidence says ${outcome}`],
  );
  const more = [...found.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `${id} ${side} the change: not in the evidence`);
  return [...differing, ...more];
}

const noTree = () =>
  fail(
    "invalid-input",
    "evidence.no-tree",
    "the bundle does not hold the tree of the result, so its tests cannot be run again",
  );
