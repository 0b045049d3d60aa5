import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The report that code in the sandbox left; null when there is none that can be trusted to be one. It may have been
 * replaced by a link to a secret, a pipe that never ends, or a file without end.
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
    // A second name may lead to a file that is not the sandbox's.
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
