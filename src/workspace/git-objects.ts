import { hash } from "node:crypto";
import { zlib } from "./zlib.ts";

/** Git's object format, in memory: no files and no processes here. */
export type ObjectType = "blob" | "tree" | "commit";

export interface GitObject {
  type: ObjectType;
  content: Buffer;
}

/** The modes that our trees may hold. Git knows no others for files; the manifest holds the rest. */
export const FILE = 0o100644;
export const EXECUTABLE = 0o100755;
export const LINK = 0o120000;
export const DIRECTORY = 0o040000;

export interface TreeItem {
  name: string;
  mode: number;
  id: string;
}

export const OBJECT_ID = /^[0-9a-f]{40}$/;

/** Git's name for "no files at all". */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export function objectId(type: ObjectType, content: Buffer): string {
  return hash("sha1", Buffer.concat([objectHeader(type, content.length), content]));
}

export const objectHeader = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`, "latin1");

/** The bytes of a loose object file. Level 1, because disk is cheap and the time between two model turns is not. */
export function encodeLoose(object: GitObject): Buffer {
  return zlib().deflateSync(Buffer.concat([objectHeader(object.type, object.content.length), object.content]), {
    level: 1,
  });
}

/** Throws unless the bytes are exactly the object `id`: a torn file must never pass as content. */
export function decodeLoose(id: string, bytes: Buffer): GitObject {
  const inflated = zlib().inflateSync(bytes);
  if (hash("sha1", inflated) !== id) throw new Error(`object ${id} of the artifact store is damaged`);
  const end = inflated.indexOf(0);
  const type = inflated.toString("latin1", 0, end).split(" ")[0];
  if (type !== "blob" && type !== "tree" && type !== "commit") throw new Error(`object ${id} has an unknown type`);
  return { type, content: inflated.subarray(end + 1) };
}

export function encodeTree(items: TreeItem[]): Buffer {
  const parts: Buffer[] = [];
  for (const item of sortTree(items)) {
    parts.push(Buffer.from(`${item.mode.toString(8)} ${item.name}\0`, "utf8"), Buffer.from(item.id, "hex"));
  }
  return Buffer.concat(parts);
}

export function decodeTree(content: Buffer): TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0) throw new Error("a tree of the artifact store is damaged");
    items.push({
      mode: Number.parseInt(content.toString("latin1", at, space), 8),
      name: content.toString("utf8", space + 1, end),
      id: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return items;
}

/** Git orders by bytes, and a directory as if its name ended in a slash. */
function sortTree(items: TreeItem[]): TreeItem[] {
  const keyed = items.map((item) => ({ item, key: item.mode === DIRECTORY ? `${item.name}/` : item.name }));
  keyed.sort((a, b) => compareBytes(a.key, b.key));
  return keyed.map(({ item }) => item);
}

/** By UTF-8 bytes. JavaScript's own order differs only where surrogates are involved. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return x - y;
  }
  return a.length - b.length;
}

export interface Commit {
  tree: string;
  parents: string[];
  /** Epoch milliseconds; passed in, so that the same work makes the same commit. */
  at: number;
  message: string;
}

export function encodeCommit(commit: Commit): Buffer {
  const signature = `Miracle <miracle@localhost> ${Math.floor(commit.at / 1000)} +0000`;
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signature}`,
    `committer ${signature}`,
    "",
    commit.message.replaceAll("\0", "").trimEnd(),
    "",
  ];
  return Buffer.from(lines.join("\n"), "utf8");
}

export function decodeCommit(content: Buffer): { tree: string; parents: string[]; message: string } {
  const text = content.toString("utf8");
  const split = text.indexOf("\n\n");
  const header = text.slice(0, split).split("\n");
  const values = (key: string) =>
    header.filter((line) => line.startsWith(`${key} `)).map((l) => l.slice(key.length + 1));
  return { tree: values("tree")[0] ?? EMPTY_TREE, parents: values("parent"), message: text.slice(split + 2) };
}
