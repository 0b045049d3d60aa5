import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { fail } from "../../domain/failure.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import { importTree, PortableTree } from "../../workspace/portable-tree.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import { recordedProof } from "../evidence/recorded-proof.ts";
import { chooseLanguages } from "./choose-language.ts";
import { openSuites } from "./open-suites.ts";
import type { ProveParts } from "./prove-parts.ts";
import { NOTHING_RUN, type Rerun, together, twice } from "./rerun.ts";
import { rerunChange } from "./rerun-change.ts";
import { rerunProof } from "./rerun-proof.ts";
import { SuiteRunner } from "./suite-runner.ts";

/**
 * Runs again what a bundle tells, on its own trees in clean checkouts, and compares what each one says: the whole proof
 * of a change; of a task its tests before and after, and everything else that its proof was made of.
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
  if (document.producer === "prove") {
    if (base === null) throw noTree();
    return rerunChange(directory, document, project, parts);
  }
  const changed = document.change.files.map(({ path }) => path);
  const languages = chooseLanguages(parts, base === null ? [result] : [base, result], changed);
  const [language] = languages;
  if (!language) throw noTree();
  const { inTree, others } = await openSuites(parts, languages, project, { base, result });
  // A runner asks each tree once.
  const runner = () => new SuiteRunner(parts, { language, inTree }, others);
  const suites = await twice(() => rerunSuites({ base, result }, document, runner()));
  const recording = recordingOf(directory, parts);
  if (!recording) return suites;
  const proof = await rerunProof(await recordedProof(recording), document, project, runner(), parts);
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
  fail("invalid-input", "evidence.no-tree", "the bundle does not hold its trees, so its tests cannot be run again");
