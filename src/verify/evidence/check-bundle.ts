import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { CassetteRecording, parseCassette } from "../../journal/cassette.ts";
import { sha256 } from "../../journal/hash.ts";
import type { Recording } from "../../journal/recording.ts";
import { verifyRecording } from "../../journal/verify.ts";
import { PortableTree, portableTreeId } from "../../workspace/portable-tree.ts";
import { BUNDLE, documentFiles } from "./bundle.ts";
import { MANIFEST_FILE, parseManifest } from "./manifest.ts";
import { patchFaults } from "./patch-faults.ts";
import { recordedScan } from "./recorded-runs.ts";

interface BundleCheck {
  /** The hash of the manifest: whoever has it from elsewhere needs nothing else to compare. */
  root: string;
  files: number;
  document: EvidenceDocument | null;
  /** Empty when everything holds; otherwise one line per fault, naming the file and the hash. */
  faults: string[];
}

/** Checks every byte of a bundle, with no network and no model. `version` is ours: only then pages can be made again. */
export async function checkBundle(directory: string, version: string, root?: string): Promise<BundleCheck> {
  const files = readFiles(directory);
  const manifest = files.get(MANIFEST_FILE);
  if (!manifest)
    throw fail("invalid-input", "evidence.no-bundle", `${directory} has no ${MANIFEST_FILE}: it is no bundle`);
  const found = sha256(manifest);
  const faults: string[] = [];
  if (root !== undefined && root !== found)
    faults.push(`${MANIFEST_FILE}: the root hash is ${found}, expected ${root}`);
  faults.push(...manifestFaults(files, manifest));
  const document = readDocument(files, faults);
  if (document) {
    faults.push(...(await treeFaults(files, document, faults.length === 0)), ...testFaults(files, document));
    faults.push(...(await journalFaults(files, document)));
    if (document.versions.miracle === version) faults.push(...shapeFaults(files, document));
  }
  return { root: found, files: files.size, document, faults };
}

/** Follows no link: everything a bundle speaks of is in it. */
function readFiles(directory: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const walk = (prefix: string) => {
    for (const name of readdirSync(join(directory, prefix)).sort()) {
      const path = prefix + name;
      const stats = lstatSync(join(directory, path));
      if (stats.isDirectory()) walk(`${path}/`);
      else files.set(path, stats.isFile() ? readFileSync(join(directory, path)) : Buffer.from("(no file)"));
    }
  };
  walk("");
  return files;
}

function manifestFaults(files: Map<string, Buffer>, manifest: Buffer): string[] {
  const hashes = parseManifest(manifest.toString("utf8"));
  if (!hashes) return [`${MANIFEST_FILE}: it is not as it was written`];
  const faults: string[] = [];
  for (const [name, hash] of hashes) {
    const content = files.get(name);
    if (!content) faults.push(`${name}: it is missing, its sha256 was ${hash}`);
    else if (sha256(content) !== hash)
      faults.push(`${name}: its sha256 is ${sha256(content)}, the manifest says ${hash}`);
  }
  for (const name of files.keys()) {
    if (!hashes.has(name) && name !== MANIFEST_FILE && name !== `${MANIFEST_FILE}.sig`) {
      faults.push(`${name}: the manifest does not name it`);
    }
  }
  return faults;
}

function readDocument(files: Map<string, Buffer>, faults: string[]): EvidenceDocument | null {
  const parsed = EvidenceDocument.safeParse(parseJson(files.get(BUNDLE.document)));
  if (parsed.success) return parsed.data;
  faults.push(`${BUNDLE.document}: it is no evidence: ${z.prettifyError(parsed.error).split("\n")[0]}`);
  return null;
}

/** The contents of a tree must have the id that the document names, and the patch must be what lies between them. */
async function treeFaults(
  files: Map<string, Buffer>,
  { hashes }: EvidenceDocument,
  hashesHold: boolean,
): Promise<string[]> {
  const named = [
    [BUNDLE.baseTree, hashes.baseTree],
    [BUNDLE.resultTree, hashes.resultTree],
  ] as const;
  const trees: PortableTree[] = [];
  const faults = named.flatMap(([name, id]) => {
    const content = files.get(name);
    if (!content) return [];
    const tree = PortableTree.safeParse(parseJson(content));
    if (!tree.success) return [`${name}: it cannot be read as a tree`];
    const found = treeId(tree.data);
    if (found !== id) return [`${name}: it is tree ${found}, ${BUNDLE.document} says ${id}`];
    trees.push(tree.data);
    return [];
  });
  const [base, result] = trees;
  const patch = files.get(BUNDLE.patch);
  if (!hashesHold || !base || !result || !patch) return faults;
  return [...faults, ...(await patchFaults(patch, base, result))];
}

function treeId(tree: PortableTree): string {
  try {
    return portableTreeId(tree);
  } catch {
    return "(none that can be stored)";
  }
}

function testFaults(files: Map<string, Buffer>, { hashes }: EvidenceDocument): string[] {
  const known = new Map(hashes.tests.map((test) => [BUNDLE.tests + test.path, test.sha256]));
  return [...files].flatMap(([name, content]) => {
    if (!name.startsWith(BUNDLE.tests)) return [];
    const hash = known.get(name);
    if (hash === undefined) return [`${name}: ${BUNDLE.document} does not name it`];
    return sha256(content) === hash
      ? []
      : [`${name}: its sha256 is ${sha256(content)}, ${BUNDLE.document} says ${hash}`];
  });
}

async function journalFaults(files: Map<string, Buffer>, document: EvidenceDocument): Promise<string[]> {
  const { hashes } = document;
  const content = files.get(BUNDLE.cassette);
  if (!content) return [];
  try {
    const recording = new CassetteRecording(parseCassette(content.toString("utf8"), BUNDLE.cassette));
    const { faults } = await verifyRecording(recording);
    const heads = await journalHeads(recording);
    const differing = hashes.journal.flatMap(({ strand, head }) =>
      heads.get(strand) === head
        ? []
        : [`strand ${strand} ends in ${heads.get(strand) ?? "nothing"}, evidence says ${head}`],
    );
    return [...faults, ...differing, ...(await scanFaults(recording, document))].map(
      (fault) => `${BUNDLE.cassette}: ${fault}`,
    );
  } catch (error) {
    if (error instanceof TerminalFailure) return [`${BUNDLE.cassette}: ${error.message}`];
    throw error;
  }
}

/** What was found in the result is what its journal says, no more and no less. */
async function scanFaults(recording: Recording, { scans, hashes }: EvidenceDocument): Promise<string[]> {
  const scan = await recordedScan(recording);
  const recorded = scan?.tree === hashes.resultTree ? scan.findings : null;
  if (isDeepStrictEqual(recorded, scans)) return [];
  const told = (findings: readonly unknown[] | null) => (findings ? `${findings.length} findings` : "no scan");
  return [`the scan of the result has ${told(recorded)}, and evidence says otherwise (${told(scans)})`];
}

/** The last hash of each strand: it stands for all of them before it. */
export async function journalHeads(recording: {
  strands(): Promise<string[]>;
  strand(name: string): Promise<{ steps: { hash: string }[] }>;
}): Promise<Map<string, string>> {
  const heads = new Map<string, string>();
  for (const name of await recording.strands()) {
    const last = (await recording.strand(name)).steps.at(-1);
    if (last) heads.set(name, last.hash);
  }
  return heads;
}

/** The page and the reports follow from the document: made again they must be the same. */
function shapeFaults(files: Map<string, Buffer>, document: EvidenceDocument): string[] {
  return [...documentFiles(document)].flatMap(([name, expected]) => {
    if (name === BUNDLE.document) return [];
    return files.get(name)?.equals(expected) ? [] : [`${name}: it does not say what ${BUNDLE.document} says`];
  });
}

function parseJson(content: Buffer | undefined): unknown {
  try {
    return JSON.parse(content?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
}
