import { canonicalJson, type Json } from "../domain/json.ts";
import { sha256 } from "./hash.ts";

/*
 * Stores a value as content-addressed blobs of canonical JSON. Large parts become their own blobs, named by {"$":
 * hash}. Long arrays become a tree of chunks. So a transcript that grows by one turn costs only that turn, and equal
 * parts are stored once. A data key that starts with "$" gets one more "$", so data can never look like a reference.
 */

/** Below this size a reference would cost more than the part. */
const INLINE_BYTES = 160;
const CHUNK = 16;

export interface Packed {
  hash: string;
  /** Every blob of the value, including the root. */
  blobs: Map<string, string>;
}

/** Packing the same immutable object again costs only a look-up. Transcripts share their messages from turn to turn. */
const known = new WeakMap<object, { text: string; blobs: Map<string, string> }>();

export function pack(value: unknown): Packed {
  const blobs = new Map<string, string>();
  const text = packPart(value, blobs);
  return { hash: store(text, blobs), blobs };
}

/** Reads the value of a packed root. `load` checks the content of each blob against its name. */
export async function unpack(hash: string, load: (hash: string) => Promise<string>): Promise<Json> {
  return revive(JSON.parse(await load(hash)), load);
}

/** Returns the text of a part, and adds the blobs it refers to. */
function packPart(value: unknown, blobs: Map<string, string>): string {
  if (typeof value !== "object" || value === null) return canonicalJson(value);
  if (!Object.isFrozen(value)) return Array.isArray(value) ? packArray(value, blobs) : packObject(value, blobs);
  const part = known.get(value) ?? packKnown(value);
  for (const [hash, text] of part.blobs) blobs.set(hash, text);
  return part.text;
}

function packKnown(value: object) {
  const blobs = new Map<string, string>();
  const text = Array.isArray(value) ? packArray(value, blobs) : packObject(value, blobs);
  const part = { text, blobs };
  known.set(value, part);
  return part;
}

function packObject(value: object, blobs: Map<string, string>): string {
  const fields: string[] = [];
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [key, item] of entries) {
    if (item === undefined) continue;
    const name = key.startsWith("$") ? `$${key}` : key;
    fields.push(`${canonicalJson(name)}:${refer(packPart(item, blobs), blobs)}`);
  }
  return `{${fields.join(",")}}`;
}

function packArray(values: unknown[], blobs: Map<string, string>): string {
  let items = values.map((item) => refer(packPart(item ?? null, blobs), blobs));
  let depth = 0;
  while (items.length > CHUNK) {
    const chunks: string[] = [];
    for (let at = 0; at < items.length; at += CHUNK)
      chunks.push(`"${store(`[${items.slice(at, at + CHUNK).join(",")}]`, blobs)}"`);
    items = chunks;
    depth += 1;
  }
  const text = `[${items.join(",")}]`;
  return depth === 0 ? text : `{"$chunks":${text},"$depth":${depth}}`;
}

/** Returns the text of a small part, otherwise a reference to it. */
function refer(text: string, blobs: Map<string, string>): string {
  return text.length < INLINE_BYTES ? text : `{"$":"${store(text, blobs)}"}`;
}

function store(text: string, blobs: Map<string, string>): string {
  const hash = sha256(text);
  blobs.set(hash, text);
  return hash;
}

async function revive(value: Json, load: (hash: string) => Promise<string>): Promise<Json> {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => revive(item, load)));
  const chunks = chunkHashes(value);
  if (chunks) return joinChunks(chunks.hashes, chunks.depth, load);
  const reference = referred(value);
  if (reference !== undefined) return unpack(reference, load);
  const entries = Object.entries(value).map(
    async ([key, item]): Promise<[string, Json]> => [
      key.startsWith("$") ? key.slice(1) : key,
      await revive(item, load),
    ],
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function joinChunks(hashes: string[], depth: number, load: (hash: string) => Promise<string>): Promise<Json[]> {
  const parts = hashes.map(async (hash) => {
    const items: Json = JSON.parse(await load(hash));
    if (!Array.isArray(items)) throw new Error(`blob ${hash} is not a chunk`);
    if (depth > 1) return joinChunks(items.map(String), depth - 1, load);
    return Promise.all(items.map((item) => revive(item, load)));
  });
  return (await Promise.all(parts)).flat();
}

/** Every blob of a value, including the root: an export must contain them and a prune must keep them. */
export async function reachable(hash: string, load: (hash: string) => Promise<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await unpack(hash, async (wanted) => {
    const text = await load(wanted);
    found.set(wanted, text);
    return text;
  });
  return found;
}

const referred = (value: { [key: string]: Json }): string | undefined =>
  typeof value.$ === "string" ? value.$ : undefined;

function chunkHashes(value: { [key: string]: Json }): { hashes: string[]; depth: number } | undefined {
  return Array.isArray(value.$chunks) ? { hashes: value.$chunks.map(String), depth: Number(value.$depth) } : undefined;
}
