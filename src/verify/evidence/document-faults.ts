import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { Json } from "../../domain/json.ts";
import { differences } from "../../journal/divergence.ts";
import { BUNDLE, documentFiles } from "./bundle.ts";
import type { BundleTrees } from "./bundle-trees.ts";

interface Compared {
  faults: string[];
  /** Fields that nothing in the bundle tells, because a tree is not in it. */
  unchecked: string[];
}

/**
 * Every field of `evidence.json` against the document that was made again. Fields that no document has are faults, too:
 * the texts are compared, not what we make of them.
 */
export function compareDocuments(
  said: EvidenceDocument,
  text: Buffer,
  derived: EvidenceDocument,
  { ids }: BundleTrees,
  notes: readonly string[],
): Compared {
  const who = derived.producer === "run" ? "the journal says" : "the measurements say";
  const unchecked: string[] = [];
  const expected = { ...derived, notes: [...derived.notes, ...said.notes.filter((note) => notes.includes(note))] };
  const has = (name: string, id: string | null) => id === null || ids.has(name);
  const hasResult = has(BUNDLE.resultTree, derived.hashes.resultTree);
  if (!hasResult) {
    expected.hashes = { ...expected.hashes, tests: said.hashes.tests };
    unchecked.push(`hashes.tests: ${BUNDLE.resultTree} tells it, and is not in the bundle`);
  }
  if (!hasResult || !has(BUNDLE.baseTree, derived.hashes.baseTree)) {
    expected.change = said.change;
    unchecked.push("change.files: both trees tell it, and one is not in the bundle");
  }
  const rendered = documentFiles(expected, undefined).get(BUNDLE.document) ?? Buffer.from("null");
  const found = differences(parsed(rendered), parsed(text), [who, `${BUNDLE.document} says`]);
  return { faults: found.map((line) => `${BUNDLE.document}: ${line}`), unchecked };
}

const parsed = (content: Buffer): Json => JSON.parse(content.toString("utf8"));
