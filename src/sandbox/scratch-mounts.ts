import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Mount } from "./sandbox.ts";

/** `seenAt`: where we find it, if bwrap will find it elsewhere. */
export interface StagedMount extends Mount {
  seenAt?: string;
}

/**
 * bwrap's options for one mount. A directory that can be written inside of a read-only one needs a place that exists:
 * where the host's has none, each entry is mounted by itself in a directory of memory. Nothing is made on the host.
 */
export function mountArguments({ from, to, scratch = [], seenAt = from }: StagedMount, bytes: number): string[] {
  const memory = (path: string) => ["--size", String(bytes), "--tmpfs", path];
  const whole = ["--ro-bind", from, to];
  const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (scratch.length === 0 || !isDirectory(seenAt)) return whole;
  if (scratch.every((name) => isDirectory(join(seenAt, name)))) {
    return [...whole, ...scratch.flatMap((name) => memory(join(to, name)))];
  }
  const entries = readdirSync(seenAt, { withFileTypes: true }).filter(({ name }) => !scratch.includes(name));
  // Every mount costs more than the one before it.
  if (entries.length > MOST_ENTRIES) return whole;
  return [
    ...memory(to),
    ...entries.flatMap((entry) => {
      const [own, inside] = [join(from, entry.name), join(to, entry.name)];
      // A link keeps its target, or the modules behind it would be found under another path.
      return entry.isSymbolicLink()
        ? ["--symlink", readlinkSync(join(seenAt, entry.name)), inside]
        : ["--ro-bind", own, inside];
    }),
  ];
}

const MOST_ENTRIES = 1_500;
