import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";

/** What is kept of an answer in addition to its body. */
const KeptHead = z.object({
  url: z.string(),
  type: z.string(),
  encoding: z.string(),
  etag: z.string(),
  size: z.int().nonnegative(),
});
export type KeptHead = z.infer<typeof KeptHead>;

export interface Kept extends KeptHead {
  body(): Readable;
}

export interface CacheLimits {
  /** The limit of one answer. */
  entryBytes: number;
  /** The limit of all answers. Those unused for the longest time are removed first. */
  totalBytes: number;
}

const CACHE_LIMITS: CacheLimits = { entryBytes: 512 * 1024 ** 2, totalBytes: 2 * 1024 ** 3 };

const LONGEST_HEAD = 16_384;

/**
 * Answers of package registries on disk, one file each: a line that says what it is, then the body.
 *
 * Only the proxy of ours writes here, with what it fetched from the registry itself. No sandbox ever sees the directory, so
 * nothing that runs in one can put a package into it.
 */
export class PackageCache {
  readonly #directory: string;
  readonly #limits: CacheLimits;
  #grew = false;

  constructor(directory: string, limits: CacheLimits = CACHE_LIMITS) {
    this.#directory = directory;
    this.#limits = limits;
  }

  /** The answer kept for this address in this form; null if there is none, or it is incomplete. */
  async find(url: string, accept: string): Promise<Kept | null> {
    const path = this.#path(url, accept);
    const head = await readHead(path).catch(() => null);
    if (head === null || head.kept.url !== url) return null;
    const now = new Date();
    await utimes(path, now, now).catch(() => {});
    return { ...head.kept, body: () => createReadStream(path, { start: head.length }) };
  }

  /** Keeps a body once it is complete and has the announced size. An interrupted body leaves nothing. */
  async keep(head: KeptHead, accept: string, body: Readable): Promise<void> {
    const path = this.#path(head.url, accept);
    const draft = `${path}.${randomBytes(6).toString("hex")}.part`;
    // It may break before anybody reads it. The check below then finds it broken.
    body.on("error", () => {});
    try {
      if (head.size > this.#limits.entryBytes) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = createWriteStream(draft, { mode: 0o600, flush: true });
      const line = `${JSON.stringify(head)}\n`;
      file.write(line);
      await pipeline(body, file);
      if ((await stat(draft)).size !== Buffer.byteLength(line) + head.size) return;
      await rename(draft, path);
      this.#grew = true;
    } finally {
      // The writer must not wait for a reader that is gone.
      body.destroy();
      await rm(draft, { force: true });
    }
  }

  /** Makes room after something was added. */
  async prune(): Promise<void> {
    if (!this.#grew) return;
    this.#grew = false;
    const names = await readdir(this.#directory, { recursive: true }).catch(() => []);
    const files: { path: string; size: number; used: number }[] = [];
    for (const name of names) {
      const path = join(this.#directory, name);
      const found = await stat(path).catch(() => null);
      if (found?.isFile()) files.push({ path, size: found.size, used: found.mtimeMs });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((one, other) => one.used - other.used)) {
      if (total <= this.#limits.totalBytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }

  #path(url: string, accept: string): string {
    const name = createHash("sha256").update(`${url}\n${accept}`).digest("hex");
    return join(this.#directory, name.slice(0, 2), name.slice(2));
  }
}

async function readHead(path: string): Promise<{ kept: KeptHead; length: number } | null> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEAD), 0, LONGEST_HEAD, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
  if (end === -1) return null;
  const kept = KeptHead.parse(JSON.parse(buffer.toString("utf8", 0, end)));
  const { size } = await file.stat();
  return size === end + 1 + kept.size ? { kept, length: end + 1 } : null;
}
