import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { fail } from "../../domain/failure.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import type { Language } from "../../languages/language.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import { recordedProof } from "../evidence/recorded-proof.ts";
import { judgingTree } from "../integrity/judging-tree.ts";
import { chooseLanguages } from "./choose-language.ts";
import { openSuites } from "./open-suites.ts";
import type { ProveParts } from "./prove-parts.ts";
import { NOTHING_RUN, type Rerun, rerunProof, together, twice } from "./rerun-proof.ts";
import { SuiteRunner } from "./suite-runner.ts";

/**
 * Runs again what a bundle tells, on its own trees in clean checkouts: the tests before and after the change, and of a
 * task everything else that its proof was made of. Compares what each one says.
 */
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
  const { inTree, others } = await openSuites(parts, languages, project, { base, result });
  const suite = new SuiteRunner(parts, { language, inTree }, others);
  const judged = await judgedTree(document, languages, base, result, parts);
  const suites = await twice(() => rerunSuites({ base, result: judged }, document, suite));
  const recording = recordingOf(directory, parts);
  if (!recording) return suites;
  const proof = await rerunProof(await recordedProof(recording), document, suite, parts);
  return together([suites, proof, { ...NOTHING_RUN, notRepeated: neverRepeated(document) }]);
}

async function rerunSuites(
  { base, result }: { base: string | null; result: string },
  document: EvidenceDocument,
  suite: SuiteRunner,
): Promise<Rerun> {
  const after = await suite.run("the tests of the result", result);
  const before = base === null ? null : await suite.run("the tests of the base", base);
  const differences = [
    ...compare(document, "after", after),
    ...(base === null ? [] : compare(document, "before", before)),
  ];
  return { ...NOTHING_RUN, tests: (after?.tests.length ?? 0) + (before?.tests.length ?? 0), differences };
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

/** The journal of a task, with the trees that its proof needs put into the store; null where there is none. */
function recordingOf(directory: string, { artifacts, task }: ProveParts): CassetteRecording | null {
  const file = join(directory, BUNDLE.cassette);
  if (!existsSync(file)) return null;
  const recording = new CassetteRecording(parseCassette(readFileSync(file, "utf8"), BUNDLE.cassette));
  for (const tree of Object.values(recording.trees)) importTree(artifacts, task, PortableTree.parse(tree));
  return recording;
}

/** What is only said: running it again would not tell more, or needs what a bundle does not hold. */
const neverRepeated = ({ accept, speed = [], flakes }: EvidenceDocument): string[] => [
  ...(accept.length > 0 ? ["accepted commands"] : []),
  ...(speed.length > 0 ? ["measurements of speed"] : []),
  ...(flakes ? ["repeats under other conditions"] : []),
];

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
