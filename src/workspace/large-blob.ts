import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readSync, rmSync, statSync, writeSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fail } from "../domain/failure.ts";
import { objectHeader } from "./git-objects.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { zlib } from "./zlib.ts";

/** Files from this size on are copied in pieces, so that a snapshot never needs the memory of its largest file. */
export const LARGE = 4 << 20;
const PIECE = 1 << 20;

/** The id of an open file's content. Throws if its size is no longer `size`. */
export function hashOpenFile(file: number, size: number): string {
  const digest = createHash("sha1").update(objectHeader("blob", size));
  for (const piece of pieces(file, size)) digest.update(piece);
  return digest.digest("hex");
}

/** Stores an open file's content as a loose object and returns its id. */
export async function storeOpenFile(database: ObjectDatabase, file: number, size: number): Promise<string> {
  const digest = createHash("sha1");
  const temporary = database.temporaryPath();
  async function* hashed() {
    const header = objectHeader("blob", size);
    digest.update(header);
    yield header;
    for (const piece of pieces(file, size)) {
      digest.update(piece);
      yield Buffer.from(piece);
    }
  }
  try {
    const target = createWriteStream(temporary, { flags: "wx", mode: 0o444 });
    await pipeline(hashed, zlib().createDeflate({ level: 1 }), target);
    const id = digest.digest("hex");
    database.adopt(id, temporary);
    return id;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a blob to an open file, in pieces when it is large and loose. */
export async function copyBlob(database: ObjectDatabase, id: string, file: number): Promise<number> {
  const loose = statSync(database.loosePath(id), { throwIfNoEntry: false });
  // A large blob may compress well. A smaller file than this fits into memory even if it expands a thousandfold.
  if (!loose || loose.size < LARGE / 256) return writeAll(file, database.readAs("blob", id));
  const digest = createHash("sha1");
  let header = true;
  let written = 0;
  const copy = async (inflated: AsyncIterable<Buffer>) => {
    for await (const piece of inflated) {
      digest.update(piece);
      const content = header ? piece.subarray(piece.indexOf(0) + 1) : piece;
      header = false;
      written += writeAll(file, content);
    }
  };
  try {
    await pipeline(createReadStream(database.loosePath(id)), zlib().createInflate(), copy);
    if (digest.digest("hex") !== id) throw new Error(`the content is not that of ${id}`);
  } catch (cause) {
    const message = `object ${id} of the artifact store ${database.directory} is damaged`;
    throw fail("environment", "artifact.damaged", message, { cause });
  }
  return written;
}

function* pieces(file: number, size: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE, size + 1));
  let at = 0;
  for (;;) {
    const count = readSync(file, piece, 0, piece.length, at);
    if (count === 0) break;
    at += count;
    if (at > size) break;
    yield piece.subarray(0, count);
  }
  if (at !== size) throw new FileChanged();
}

/** The file changed while it was read. */
export class FileChanged extends Error {
  constructor() {
    super("the file changed while it was read");
  }
}

function writeAll(file: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  return bytes.length;
}
