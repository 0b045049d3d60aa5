import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { fail } from "../../domain/failure.ts";
import { sha256 } from "../../journal/hash.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { exportTree, type PortableTree } from "../../workspace/portable-tree.ts";
import { renderCtrf } from "./ctrf.ts";
import { renderHtml } from "./html-page.ts";
import { renderJunit } from "./junit.ts";
import { MANIFEST_FILE, renderManifest } from "./manifest.ts";
import { renderPage } from "./page.ts";

/** A directory of plain files, so that each can be read, uploaded and compared with ordinary tools. */
export const BUNDLE = {
  document: "evidence.json",
  page: "evidence.md",
  html: "evidence.html",
  junit: "junit.xml",
  ctrf: "ctrf.json",
  patch: "change.patch",
  cassette: "cassette.json",
  measurements: "measurements.json",
  baseTree: "trees/base.json",
  resultTree: "trees/result.json",
  tests: "tests/",
} as const;

export interface BundleSources {
  document: EvidenceDocument;
  artifacts: ArtifactStore;
  /** Tests that are in no tree: held-out ones. */
  moreTests?: { path: string; content: string }[];
  /** The exported journal, as text. */
  cassette?: string;
  /** What a proof without a journal was made from, as text. */
  measurements?: string;
  /** Values that must leave the machine in no file. */
  secrets: readonly string[];
}

/** How a document says that a file is not in its bundle. */
export const leftOut = (name: string, why: string): string => `${name} is not in the bundle, because ${why}`;

/** A tree past this is named by its hash alone; the repository has it. */
const LARGEST_TREE = 32e6;

/** All files of a bundle but the manifest. What holds a secret or is too large stays out, and the document says so. */
export async function bundleFiles(sources: BundleSources): Promise<Map<string, Buffer>> {
  const { artifacts, secrets } = sources;
  const { baseTree, resultTree } = sources.document.hashes;
  const notes: string[] = [];
  const carried = new Map<string, Buffer>();
  const leave = (name: string, why: string) => notes.push(leftOut(name, why));
  const carry = (name: string, content: string | Buffer) => {
    const bytes = Buffer.from(content);
    if (secrets.some((secret) => secret !== "" && bytes.includes(secret))) leave(name, "it holds a secret");
    else carried.set(name, bytes);
  };
  for (const [name, id] of [
    [BUNDLE.baseTree, baseTree],
    [BUNDLE.resultTree, resultTree],
  ] as const) {
    if (id === null) continue;
    if (!artifacts.has(id)) {
      leave(name, "this machine does not have it any more");
      continue;
    }
    const tree = exportTree(artifacts, id);
    if (sizeOf(tree) > LARGEST_TREE) leave(name, "it is too large");
    else carry(name, `${JSON.stringify(tree)}\n`);
  }
  if (baseTree !== null && resultTree !== null) {
    if (artifacts.has(baseTree) && artifacts.has(resultTree)) {
      carry(BUNDLE.patch, await artifacts.diff(baseTree, resultTree));
    } else leave(BUNDLE.patch, "a tree is missing");
  }
  const given = new Set(sources.moreTests?.map(({ path }) => path));
  for (const { path } of sources.document.hashes.tests.filter((test) => !given.has(test.path))) {
    const content = resultTree !== null && artifacts.has(resultTree) ? artifacts.readFile(resultTree, path) : null;
    if (content) carry(BUNDLE.tests + path, content);
    else leave(BUNDLE.tests + path, "the tree of the result does not have it");
  }
  for (const { path, content } of sources.moreTests ?? []) carry(BUNDLE.tests + path, content);
  if (sources.cassette !== undefined) carry(BUNDLE.cassette, sources.cassette);
  if (sources.measurements !== undefined) carry(BUNDLE.measurements, sources.measurements);
  const document = { ...sources.document, notes: [...sources.document.notes, ...notes] };
  for (const [name, content] of documentFiles(document, carried.get(BUNDLE.patch))) carried.set(name, content);
  return carried;
}

/** The document in its five shapes: each follows from the first, and the page for a browser from the patch, too. */
export function documentFiles(document: EvidenceDocument, patch: Buffer | undefined): Map<string, Buffer> {
  return new Map(
    Object.entries({
      [BUNDLE.document]: `${JSON.stringify(document, null, 2)}\n`,
      [BUNDLE.page]: renderPage(document),
      [BUNDLE.html]: renderHtml(document, patch?.toString("utf8") ?? null),
      [BUNDLE.junit]: renderJunit(document),
      [BUNDLE.ctrf]: renderCtrf(document),
    }).map(([name, content]) => [name, Buffer.from(content.toWellFormed())]),
  );
}

/** Writes a bundle beside its place and then moves it there. Returns the root hash, which stands for every byte of it. */
export function writeBundle(directory: string, files: ReadonlyMap<string, Buffer>, force: boolean): string {
  if (existsSync(directory) && readdirSync(directory).length > 0 && !(force && isBundle(directory))) {
    const what = isBundle(directory)
      ? "holds a bundle already; --force replaces it"
      : "is not empty: name a new directory";
    throw fail("invalid-input", "evidence.exists", `${directory} ${what}`);
  }
  const made = `${directory}.${process.pid}.new`;
  const manifest = renderManifest(files);
  try {
    mkdirSync(made, { recursive: true });
    for (const [name, content] of files) {
      const file = join(made, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    writeFileSync(join(made, MANIFEST_FILE), manifest);
    rmSync(directory, { recursive: true, force: true });
    renameSync(made, directory);
  } catch (cause) {
    rmSync(made, { recursive: true, force: true });
    throw fail("environment", "evidence.unwritable", `${directory} cannot be written: choose another place`, { cause });
  }
  return sha256(manifest);
}

export const isBundle = (directory: string): boolean => existsSync(join(directory, MANIFEST_FILE));

const sizeOf = ({ files }: PortableTree): number => files.reduce((sum, { content }) => sum + content.length, 0);
