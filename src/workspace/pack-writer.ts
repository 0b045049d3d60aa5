import { createHash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { GitObject } from "./git-objects.ts";
import { PACK_TYPES } from "./pack-reader.ts";
import { zlib } from "./zlib.ts";

interface PackedObject {
  id: string;
  offset: number;
  crc: number;
}

/**
 * One pack file for a first snapshot: tens of thousands of loose files would cost seconds, and an inode each. Nothing
 * is visible before `finish`, which gives the index its name last, like git.
 */
export class PackWriter {
  readonly #directory: string;
  readonly #temporary: string;
  readonly #file: number;
  readonly #objects: PackedObject[] = [];
  #offset = 12;
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;

  readonly #durable: boolean;

  constructor(directory: string, durable: boolean) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#durable = durable;
    // Git's own name for an unfinished pack, so that `git prune` removes what a crash left.
    this.#temporary = join(directory, `tmp_pack_${randomBytes(8).toString("hex")}`);
    this.#file = openSync(this.#temporary, "wx+", 0o444);
    this.#push(Buffer.alloc(12));
    this.#offset = 12;
  }

  add(id: string, object: GitObject): void {
    const header = entryHeader(PACK_TYPES[object.type], object.content.length);
    const body = zlib().deflateSync(object.content, { level: 1 });
    this.#objects.push({ id, offset: this.#offset, crc: zlib().crc32(body, zlib().crc32(header)) });
    this.#offset += header.length + body.length;
    this.#push(header);
    this.#push(body);
  }

  finish(): void {
    this.#flush();
    // The header holds the count, which is known only now.
    const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
    header.writeUInt32BE(this.#objects.length, 8);
    writeSync(this.#file, header, 0, 12, 0);
    const checksum = this.#checksum();
    writeSync(this.#file, checksum, 0, 20, this.#offset);
    if (this.#durable) fsyncSync(this.#file);
    closeSync(this.#file);
    const name = join(this.#directory, `pack-${checksum.toString("hex")}`);
    const index = encodeIndex(this.#objects, checksum);
    const indexFile = openSync(`${this.#temporary}.idx`, "wx", 0o444);
    writeAll(indexFile, index);
    if (this.#durable) fsyncSync(indexFile);
    closeSync(indexFile);
    renameSync(this.#temporary, `${name}.pack`);
    renameSync(`${this.#temporary}.idx`, `${name}.idx`);
  }

  abandon(): void {
    closeSync(this.#file);
    rmSync(this.#temporary, { force: true });
  }

  #push(bytes: Buffer): void {
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes > 1 << 20) this.#flush();
  }

  #flush(): void {
    if (this.#bufferedBytes > 0) writeAll(this.#file, Buffer.concat(this.#buffered));
    this.#buffered = [];
    this.#bufferedBytes = 0;
  }

  #checksum(): Buffer {
    const digest = createHash("sha1");
    const chunk = Buffer.alloc(1 << 20);
    for (let at = 0; at < this.#offset; ) {
      const count = readSync(this.#file, chunk, 0, Math.min(chunk.length, this.#offset - at), at);
      if (count === 0) throw new Error("the pack became shorter while it was written");
      digest.update(chunk.subarray(0, count));
      at += count;
    }
    return digest.digest();
  }
}

/** Type and size as a little-endian number of 4 and then 7 bits. */
function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

/** Version 2: fan-out, ids, checksums, offsets. Offsets beyond 2 GB have their own table. */
function encodeIndex(objects: PackedObject[], packChecksum: Buffer): Buffer {
  const sorted = [...objects].sort((a, b) => (a.id < b.id ? -1 : 1));
  const fanOut = Buffer.alloc(1024);
  let counted = 0;
  for (let first = 0; first < 256; first += 1) {
    while (counted < sorted.length && Number.parseInt(sorted[counted]?.id.slice(0, 2) ?? "", 16) <= first) counted += 1;
    fanOut.writeUInt32BE(counted, first * 4);
  }
  const ids = Buffer.from(sorted.map(({ id }) => id).join(""), "hex");
  const checksums = Buffer.alloc(sorted.length * 4);
  const offsets = Buffer.alloc(sorted.length * 4);
  const large: Buffer[] = [];
  for (const [index, { crc, offset }] of sorted.entries()) {
    checksums.writeUInt32BE(crc, index * 4);
    const isLarge = offset >= 0x80000000;
    offsets.writeUInt32BE(isLarge ? 0x80000000 + large.length : offset, index * 4);
    if (!isLarge) continue;
    const wide = Buffer.alloc(8);
    wide.writeBigUInt64BE(BigInt(offset));
    large.push(wide);
  }
  const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
  const body = Buffer.concat([magic, fanOut, ids, checksums, offsets, ...large, packChecksum]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
