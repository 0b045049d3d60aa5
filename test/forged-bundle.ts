import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "../src/config/package-root.ts";
import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import type { Json } from "../src/domain/json.ts";
import type { Step } from "../src/domain/task/step.ts";
import { type Cassette, CassetteRecording, parseCassette } from "../src/journal/cassette.ts";
import { genesis, rowHash } from "../src/journal/chain.ts";
import { pack, unpack } from "../src/journal/pack.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { SyntaxParsers } from "../src/syntax/parse.ts";
import { bundleFiles, documentFiles, writeBundle } from "../src/verify/evidence/bundle.ts";
import { withTrees } from "../src/verify/evidence/bundle-trees.ts";
import { documentOfTask } from "../src/verify/evidence/document-of-task.ts";
import { deriveChange } from "../src/verify/prove/derive-change.ts";
import { ArtifactStore } from "../src/workspace/artifact-store.ts";
import { importTree, PortableTree } from "../src/workspace/portable-tree.ts";
import { temporaryDirectory } from "./temporary.ts";

/** A genuine recording of this repository. */
export const shipped = (name: string): Cassette =>
  parseCassette(readFileSync(join(packageRoot(), "cassettes", name), "utf8"), name);

/** The files of the bundle that `evidence -o` writes for a recorded task. */
export async function bundleOf(cassette: Cassette): Promise<Map<string, Buffer>> {
  const { document, unseen, artifacts } = await evidenceOf(cassette);
  const text = `${JSON.stringify({ ...cassette, trees: {} })}\n`;
  return bundleFiles({ document, artifacts, moreTests: unseen, cassette: text, secrets: [] });
}

/** What a recorded task says of itself, with the trees it carries. */
export async function evidenceOf(cassette: Cassette) {
  const artifacts = ArtifactStore.open(temporaryDirectory());
  for (const tree of Object.values(cassette.trees)) importTree(artifacts, "check", PortableTree.parse(tree));
  return { ...(await documentOfTask({ recording: new CassetteRecording(cassette), artifacts })), artifacts };
}

/** A bundle whose document says something else, with page, reports and manifest made to fit. */
export function withDocument(
  files: ReadonlyMap<string, Buffer>,
  edit: (document: EvidenceDocument) => void,
): Map<string, Buffer> {
  const document: EvidenceDocument = JSON.parse(files.get("evidence.json")?.toString("utf8") ?? "");
  edit(document);
  return new Map([...files, ...documentFiles(document, files.get("change.patch"))]);
}

/** Writes these files with a manifest over them. Returns the directory. */
export function written(files: ReadonlyMap<string, Buffer>): string {
  const directory = join(temporaryDirectory(), "evidence");
  writeBundle(directory, files, false);
  return directory;
}

type Edit = (value: Json, place: { step: Step; side: "input" | "output" }) => Json;

/** The recording with other inputs and outputs, and every hash made anew, those that later steps name included. */
export async function forgedCassette(
  cassette: Cassette,
  edit: Edit,
  frozen: (value: Json) => Json = (value) => value,
): Promise<Cassette> {
  const old = new CassetteRecording(cassette);
  const { hash: frozenHash, blobs } = pack(frozen(await unpack(cassette.frozenHash, (hash) => old.blob(hash))));
  const heads = new Map<string, string>();
  const renamed = new Map<string, string>();
  const repack = async (hash: string, step: Step, side: "input" | "output"): Promise<string> => {
    const value = edit(await unpack(hash, (wanted) => old.blob(wanted)), { step, side });
    const text = JSON.stringify(value).replace(/[0-9a-f]{64}/g, (name) => renamed.get(name) ?? name);
    const packed = pack(JSON.parse(text));
    for (const [name, content] of packed.blobs) blobs.set(name, content);
    return packed.hash;
  };
  const steps: Step[] = [];
  for (const step of cassette.steps.toSorted((a, b) => a.sequence - b.sequence)) {
    const { hash: before, ...rest } = step;
    const row = {
      ...rest,
      inputHash: await repack(step.inputHash, step, "input"),
      outputHash: await repack(step.outputHash, step, "output"),
      previousHash: heads.get(step.strand) ?? genesis(cassette.task, step.strand, frozenHash),
    };
    const hash = rowHash(row);
    heads.set(step.strand, hash);
    renamed.set(before, hash);
    steps.push({ ...row, hash });
  }
  return { ...cassette, frozenHash, steps, blobs: Object.fromEntries(blobs) };
}

/** How a bundle of `prove` is made again. */
export const derivingChange = deriveChange({ languages: openLanguages(), parsers: new SyntaxParsers() });

const MeasurementsFile = z.object({
  format: z.string(),
  rows: z.array(z.object({ name: z.string(), of: z.string().optional(), found: z.any(), ms: z.number() })),
});
export type MeasuredRow = z.infer<typeof MeasurementsFile>["rows"][number];

/**
 * The bundle that somebody makes who edits measurements and lets the same code judge them: everything in it fits, if
 * that can be done at all.
 */
export async function withMeasurements(
  files: ReadonlyMap<string, Buffer>,
  edit: (rows: MeasuredRow[]) => void,
): Promise<Map<string, Buffer>> {
  const file = MeasurementsFile.parse(JSON.parse(files.get("measurements.json")?.toString("utf8") ?? ""));
  edit(file.rows);
  const forged = new Map(files).set("measurements.json", Buffer.from(JSON.stringify(file)));
  const derived = await withTrees(forged, (trees) => derivingChange(forged, trees));
  if ("cannot" in derived || !derived.document) return forged;
  return new Map([...forged, ...documentFiles(derived.document, forged.get("change.patch"))]);
}
