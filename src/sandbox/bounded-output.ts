/**
 * Keeps the head and the tail of a stream and counts the rest.
 * Invariant: memory never exceeds `capacity` bytes plus one chunk, however much arrives.
 */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  /** A ring once it is full; `#tailEnd` is where the next byte goes. */
  #tail: Buffer | undefined;
  #tailEnd = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(capacity: number) {
    this.#headLimit = Math.ceil(capacity / 2);
    this.#tailLimit = Math.floor(capacity / 2);
  }

  get truncated(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    let rest = chunk;
    if (this.#headBytes < this.#headLimit) {
      const room = this.#headLimit - this.#headBytes;
      // A copy: a slice would keep the whole chunk of the stream alive.
      const kept = Buffer.from(rest.subarray(0, room));
      this.#head.push(kept);
      this.#headBytes += kept.length;
      rest = rest.subarray(room);
    }
    if (rest.length > 0) this.#pushTail(rest);
  }

  text(): string {
    const head = Buffer.concat(this.#head);
    const tail = this.#tailInOrder();
    if (!this.truncated) return Buffer.concat([head, tail]).toString("utf8");
    const start = wholeCharacters(head);
    const end = tail.subarray(firstCharacter(tail));
    const missing = this.#total - start.length - end.length;
    return `${start.toString("utf8")}\n[… ${missing} of ${this.#total} bytes of output left out …]\n${end.toString("utf8")}`;
  }

  #pushTail(bytes: Buffer): void {
    if (this.#tailLimit === 0) return;
    this.#tail ??= Buffer.allocUnsafe(this.#tailLimit);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailLimit));
    const first = kept.copy(this.#tail, this.#tailEnd);
    kept.copy(this.#tail, 0, first);
    this.#tailEnd = (this.#tailEnd + kept.length) % this.#tailLimit;
    this.#tailBytes = Math.min(this.#tailLimit, this.#tailBytes + kept.length);
  }

  #tailInOrder(): Buffer {
    if (!this.#tail) return Buffer.alloc(0);
    if (this.#tailBytes < this.#tailLimit) return this.#tail.subarray(0, this.#tailBytes);
    return Buffer.concat([this.#tail.subarray(this.#tailEnd), this.#tail.subarray(0, this.#tailEnd)]);
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/** Removes a UTF-8 character that the cut went through. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

function firstCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return start;
}
