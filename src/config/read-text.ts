import { closeSync, constants as flags, fstatSync, openSync, readFileSync } from "node:fs";
import { fail } from "../domain/failure.ts";

const LIMIT_BYTES = 1_000_000;

/** The text of a small file, or undefined when there is none. A pipe, a device or a huge file is refused, not waited for. */
export function readText(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, flags.O_RDONLY | flags.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw fail("invalid-input", "config.unreadable", `${file}: cannot be read (${code})`, { cause: error });
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw fail("invalid-input", "config.unreadable", `${file}: not a regular file`);
    if (stat.size > LIMIT_BYTES) throw fail("invalid-input", "config.too-large", `${file}: larger than 1 MB`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
