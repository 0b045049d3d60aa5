import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { fail } from "../../domain/failure.ts";
import { sha256 } from "../../journal/hash.ts";
import { BUNDLE, documentFiles } from "./bundle.ts";
import { checkContents } from "./bundle-contents.ts";
import { type BundleTrees, withTrees } from "./bundle-trees.ts";
import { compareDocuments } from "./document-faults.ts";
import { MANIFEST_FILE, parseManifest } from "./manifest.ts";
import { recountEvidence } from "./recount-evidence.ts";

interface BundleCheck {
  /** The hash of the manifest: whoever has it from elsewhere needs nothing else to compare. */
  root: string;
  files: number;
  document: EvidenceDocument | null;
  /** Empty when everything holds; otherwise one line per fault, naming the file, and the field or the hash. */
  faults: string[];
  /** What could not be checked, because the bundle does not hold what it takes: one line each. */
  unchecked: string[];
}

/** What a document must say, made again from the rest of the bundle. */
type Derived =
  /** With what is wrong in the sources themselves; no document where they cannot be read. */
  { document: EvidenceDocument | null; faults: string[] } | { cannot: string };

export type Derive = (files: ReadonlyMap<string, Buffer>, trees: BundleTrees) => Promise<Derived>;

export interface CheckOptions {
  /** Ours: another version may have made its pages in other words. */
  version: string;
  /** The root hash that it must have. */
  root?: string | undefined;
  /** How the document is made again, by who made it. */
  derive: Record<EvidenceDocument["producer"], Derive>;
}

/** Checks every byte of a bundle and makes its document again, with no network and no model. */
export async function checkBundle(directory: string, options: CheckOptions): Promise<BundleCheck> {
  const files = readFiles(directory);
  const manifest = files.get(MANIFEST_FILE);
  if (!manifest)
    throw fail("invalid-input", "evidence.no-bundle", `${directory} has no ${MANIFEST_FILE}: it is no bundle`);
  const root = sha256(manifest);
  const check: BundleCheck = { root, files: files.size, document: null, faults: [], unchecked: [] };
  if (options.root !== undefined && options.root !== root)
    check.faults.push(`${MANIFEST_FILE}: the root hash is ${root}, expected ${options.root}`);
  check.faults.push(...manifestFaults(files, manifest));
  const document = readDocument(files, check.faults);
  if (!document) return check;
  await withTrees(files, (trees) => checkDocument(check, files, document, trees, options));
  return { ...check, document };
}

async function checkDocument(
  { faults, unchecked }: BundleCheck,
  files: ReadonlyMap<string, Buffer>,
  document: EvidenceDocument,
  trees: BundleTrees,
  { version, derive }: CheckOptions,
): Promise<void> {
  const contents = checkContents(files, document);
  // What the manifest names already needs no second line.
  if (faults.length === 0) faults.push(...contents.faults);
  faults.push(...treeFaults(trees, document), ...testFaults(files, document));
  if (faults.length === 0) faults.push(...(await patchFaults(files.get(BUNDLE.patch), trees)));
  faults.push(...recountEvidence(document).map((fault) => `${BUNDLE.document}: ${fault}`));
  unchecked.push(...contents.notes);
  const isOurs = document.versions.miracle === version;
  const derived = await derive[document.producer](files, trees);
  if ("cannot" in derived) unchecked.push(derived.cannot);
  else {
    const text = files.get(BUNDLE.document);
    const compared =
      derived.document && text ? compareDocuments(document, text, derived.document, trees, contents.notes) : null;
    const differing = [...derived.faults, ...(compared?.faults ?? [])];
    // A journal says what was judged; measurements are judged again, and another version may judge otherwise.
    if (isOurs || document.producer === "run") faults.push(...differing);
    else unchecked.push(...differing.map((fault) => `${fault}, as this version judges`));
    unchecked.push(...(compared?.unchecked ?? []));
  }
  const shapes = shapeFaults(files, document);
  if (isOurs) faults.push(...shapes);
  else unchecked.push(...shapes.map((fault) => `${fault} in the words of this version`));
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

/** The contents of a tree must have the id that the document names. */
function treeFaults({ ids }: BundleTrees, { hashes }: EvidenceDocument): string[] {
  const named = [
    [BUNDLE.baseTree, hashes.baseTree],
    [BUNDLE.resultTree, hashes.resultTree],
  ] as const;
  return named.flatMap(([name, id]) => {
    const found = ids.get(name);
    if (found === undefined || found === id) return [];
    if (found === null) return [`${name}: it cannot be read as a tree`];
    return [`${name}: it is tree ${found}, ${BUNDLE.document} says ${id}`];
  });
}

/** The patch is what most people read of a bundle: made again from the two trees it must be the same. */
async function patchFaults(patch: Buffer | undefined, { artifacts, ids }: BundleTrees): Promise<string[]> {
  const [base, result] = [ids.get(BUNDLE.baseTree), ids.get(BUNDLE.resultTree)];
  if (!patch || !base || !result) return [];
  const made = await artifacts.diff(base, result);
  if (plain(made) === plain(patch.toString("utf8"))) return [];
  return [`${BUNDLE.patch}: it does not say what the trees say`];
}

/** How many digits of an object's name git writes depends on the repository, and the words behind `@@` on its version. */
const plain = (patch: string): string =>
  patch.replace(/^index [0-9a-f]+\.\.[0-9a-f]+/gm, "index").replace(/^(@@ [-+, 0-9]+ @@).*$/gm, "$1");

function testFaults(files: ReadonlyMap<string, Buffer>, { hashes }: EvidenceDocument): string[] {
  const known = new Map(hashes.tests.map((test) => [BUNDLE.tests + test.path, test.sha256]));
  return [...files].flatMap(([name, content]) => {
    const hash = known.get(name);
    if (hash === undefined || sha256(content) === hash) return [];
    return [`${name}: its sha256 is ${sha256(content)}, ${BUNDLE.document} says ${hash}`];
  });
}

/** The page and the reports follow from the document: made again they must be the same. */
function shapeFaults(files: ReadonlyMap<string, Buffer>, document: EvidenceDocument): string[] {
  return [...documentFiles(document, files.get(BUNDLE.patch))].flatMap(([name, expected]) => {
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
