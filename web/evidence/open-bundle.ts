import type { EvidenceDocument } from "../shapes.ts";

export interface OpenedBundle {
  name: string;
  document: EvidenceDocument;
  /** Empty where the bundle has none. */
  patch: string;
}

const LARGEST = 64e6;

/** What somebody else made is parsed as such: by the schema of evidence, which is loaded only for this. */
export async function openBundle(files: File[]): Promise<OpenedBundle> {
  const large = files.find(({ size }) => size > LARGEST);
  if (large) throw new Error(`${large.name} is too large to be shown`);
  const json = files.filter(({ name }) => name.endsWith(".json"));
  const main = json.find(({ name }) => name === "evidence.json") ?? json[0];
  if (!main) throw new Error("none of these files is evidence: choose evidence.json of a bundle");
  const patch = files.find(({ name }) => /\.(patch|diff)$/.test(name));
  return { name: main.name, document: await read(main), patch: (await patch?.text()) ?? "" };
}

async function read(file: File): Promise<EvidenceDocument> {
  const { parseEvidence } = await import("./parse-evidence.ts");
  let value: unknown;
  try {
    value = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no JSON`);
  }
  return parseEvidence(file.name, value);
}
