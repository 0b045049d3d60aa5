import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Reads the report that code in the sandbox left; null if it cannot be trusted. The file may have been replaced by a
 * link to a secret, a pipe that never ends, or an endless file.
 */
export function readReport(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(descriptor);
    // A file with a second name may not belong to the sandbox.
    if (!stats.isFile() || stats.nlink > 1) return null;
    const buffer = Buffer.alloc(Math.min(stats.size, MOST_BYTES));
    let length = 0;
    while (length < buffer.length) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}
