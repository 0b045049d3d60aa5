import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { BUNDLE, leftOut } from "./bundle.ts";
import { MANIFEST_FILE } from "./manifest.ts";

export interface Contents {
  /** What is missing without a word, and what no bundle holds. */
  faults: string[];
  /** The notes that say why a file is not there. */
  notes: string[];
}

/** Whether a bundle holds what its document speaks of, and nothing else. Only what a note names may be left out. */
export function checkContents(
  files: ReadonlyMap<string, Buffer>,
  { hashes, notes, producer }: EvidenceDocument,
): Contents {
  const { baseTree, resultTree, tests } = hashes;
  const expected = new Set([
    ...(baseTree === null ? [] : [BUNDLE.baseTree]),
    ...(resultTree === null ? [] : [BUNDLE.resultTree]),
    ...(baseTree === null || resultTree === null ? [] : [BUNDLE.patch]),
    ...tests.map(({ path }) => BUNDLE.tests + path),
    SOURCE[producer],
  ]);
  const contents: Contents = { faults: [], notes: [] };
  for (const name of expected) {
    if (files.has(name)) continue;
    const note = notes.find((text) => text.startsWith(leftOut(name, "")));
    if (note === undefined) contents.faults.push(`${name}: it is missing, and ${BUNDLE.document} does not say why`);
    else contents.notes.push(note);
  }
  for (const name of files.keys()) {
    if (!expected.has(name) && !ALWAYS.has(name)) contents.faults.push(`${name}: ${BUNDLE.document} does not name it`);
  }
  return contents;
}

/** What the document of each kind is made from. */
const SOURCE: Record<EvidenceDocument["producer"], string> = {
  run: BUNDLE.cassette,
  prove: BUNDLE.measurements,
};

const ALWAYS: ReadonlySet<string> = new Set([
  BUNDLE.document,
  BUNDLE.page,
  BUNDLE.html,
  BUNDLE.junit,
  BUNDLE.ctrf,
  MANIFEST_FILE,
  `${MANIFEST_FILE}.sig`,
]);
