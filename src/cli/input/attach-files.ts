import { readFileSync, statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { fail } from "../../domain/failure.ts";
import type { Attachment } from "../../domain/task/task.ts";

const MAX_BYTES = 20_000_000;

const MEDIA_TYPES: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".csv": "text/csv",
  ".md": "text/markdown",
  ".html": "text/html",
};

/** Reads what was given with `--attach`. */
export function attachFiles(files: string[], directory: string): Attachment[] {
  let left = MAX_BYTES;
  return files.map((file) => {
    const path = resolve(directory, file);
    const refuse = (why: string, cause?: unknown) =>
      fail("invalid-input", "attachment.unusable", `--attach ${file}: ${why}`, { cause });
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw refuse("there is no such file");
    if (!stat.isFile()) throw refuse("not a regular file");
    left -= stat.size;
    if (left < 0) throw refuse("all attachments together may have at most 20 MB");
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      throw refuse("cannot be read", error);
    }
    return { name: basename(path), mediaType: mediaType(path, bytes), data: bytes.toString("base64") };
  });
}

function mediaType(path: string, bytes: Buffer): string {
  const known = MEDIA_TYPES[extname(path).toLowerCase()];
  if (known !== undefined) return known;
  return bytes.subarray(0, 8000).includes(0) ? "application/octet-stream" : "text/plain";
}
