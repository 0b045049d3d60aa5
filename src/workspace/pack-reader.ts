import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { GitObject, ObjectType } from "./git-objects.ts";
import { zlib } from "./zlib.ts";

export const PACK_TYPES: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3 };
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;

/** Reads one pack, including deltas from a person's `git gc` or a remote. */
export class PackReader {
  readonly #pack: string;
  readonly #index: Buffer;
  readonly #count: number;
  #file: number | null = null;
  #size = 0;

  constructor(indexPath: string) {
    this.#index = readFileSync(indexPath);
    if (this.#index.readUInt32BE(0) !== 0xff744f63 || this.#index.readUInt32BE(4) !== 2) {
      throw new Error(`${indexPath} is no pack index of version 2`);
    }
    this.#pack = indexPath.replace(/idx$/, "pack");
    this.#count = this.#index.readUInt32BE(8 + 255 * 4);
  }

  has(id: string): boolean {
    return this.#position(id) !== null;
  }

  /** `resolve` finds the base of a delta by its id. */
  read(id: string, resolve: (id: string) => GitObject): GitObject | null {
    const position = this.#position(id);
    return position === null ? null : this.#readAt(this.#offset(position), resolve);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #position(id: string): number | null {
    const wanted = Buffer.from(id, "hex");
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#index.readUInt32BE(8 + (first - 1) * 4);
    let high = this.#index.readUInt32BE(8 + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = 8 + 1024 + middle * 20;
      const order = this.#index.compare(wanted, 0, 20, at, at + 20);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  #offset(position: number): number {
    const offsets = 8 + 1024 + this.#count * 24;
    const offset = this.#index.readUInt32BE(offsets + position * 4);
    if (offset < 0x80000000) return offset;
    return Number(this.#index.readBigUInt64BE(offsets + this.#count * 4 + (offset - 0x80000000) * 8));
  }

  #readAt(offset: number, resolve: (id: string) => GitObject): GitObject {
    const head = this.#bytes(offset, 64);
    let at = 0;
    let byte = head[at++] ?? 0;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let factor = 16; byte & 0x80; factor *= 128) {
      byte = head[at++] ?? 0;
      size += (byte & 0x7f) * factor;
    }
    if (type === OFFSET_DELTA) {
      byte = head[at++] ?? 0;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = head[at++] ?? 0;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      const base = this.#readAt(offset - distance, resolve);
      return { type: base.type, content: applyDelta(base.content, this.#inflate(offset + at, size)) };
    }
    if (type === REFERENCE_DELTA) {
      const base = resolve(head.toString("hex", at, at + 20));
      return { type: base.type, content: applyDelta(base.content, this.#inflate(offset + at + 20, size)) };
    }
    const name = type === 1 ? "commit" : type === 2 ? "tree" : type === 3 ? "blob" : null;
    if (!name) throw new Error(`${this.#pack} holds an object of unknown type ${type}`);
    return { type: name, content: this.#inflate(offset + at, size) };
  }

  /** The packed length is not stored, so the most that deflate can need is read. */
  #inflate(offset: number, size: number): Buffer {
    const content = zlib().inflateSync(this.#bytes(offset, size + Math.ceil(size / 1000) + 128));
    if (content.length !== size) throw new Error(`${this.#pack} is damaged at ${offset}`);
    return content;
  }

  #bytes(offset: number, length: number): Buffer {
    if (this.#file === null) {
      this.#file = openSync(this.#pack, "r");
      this.#size = fstatSync(this.#file).size;
    }
    const bytes = Buffer.allocUnsafe(Math.min(length, this.#size - offset));
    let count = 0;
    while (count < bytes.length) {
      const read = readSync(this.#file, bytes, count, bytes.length - count, offset + count);
      if (read === 0) throw new Error(`${this.#pack} ended early`);
      count += read;
    }
    return bytes;
  }
}

/** Git's delta: copies of the base and inserted bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let factor = 1, byte = 0x80; byte & 0x80; factor *= 128) {
      byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * factor;
    }
    return value;
  };
  if (number() !== base.length) throw new Error("a delta of the artifact store does not fit its base");
  const result = Buffer.allocUnsafe(number());
  let filled = 0;
  while (at < delta.length) {
    const instruction = delta[at++] ?? 0;
    if (instruction & 0x80) {
      let offset = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit += 1) if (instruction & (1 << bit)) offset += (delta[at++] ?? 0) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit += 1) {
        if (instruction & (0x10 << bit)) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
      }
      filled += base.copy(result, filled, offset, offset + (length || 0x10000));
    } else {
      filled += delta.copy(result, filled, at, at + instruction);
      at += instruction;
    }
  }
  if (filled !== result.length) throw new Error("a delta of the artifact store is damaged");
  return result;
}
