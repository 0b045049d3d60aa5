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
export function mountArguments(mount: StagedMount, bytes: number): string[] {
  const { from, to, scratch = [], beside = [], seenAt = from } = mount;
  const whole = ["--ro-bind", from, to];
  if (!isDirectory(seenAt)) return whole;
  const grown = beside.flatMap((name) => {
    const place = { from: join(from, name), to: join(to, name), seenAt: join(seenAt, name) };
    return isDirectory(place.seenAt) ? (entryByEntry(place, [], bytes) ?? []) : [];
  });
  const isThere = scratch.every((name) => isDirectory(join(seenAt, name)));
  const first = isThere
    ? [...whole, ...scratch.flatMap((name) => memory(join(to, name), bytes))]
    : (entryByEntry({ from, to, seenAt }, scratch, bytes) ?? whole);
  return [...first, ...grown];
}

/** Null where there are too many: every mount costs more than the one before it. */
function entryByEntry(
  { from, to, seenAt }: Required<Pick<StagedMount, "from" | "to" | "seenAt">>,
  leftOut: readonly string[],
  bytes: number,
): string[] | null {
  const entries = readdirSync(seenAt, { withFileTypes: true }).filter(({ name }) => !leftOut.includes(name));
  if (entries.length > MOST_ENTRIES) return null;
  return [
    ...memory(to, bytes),
    ...entries.flatMap((entry) => {
      const [own, inside] = [join(from, entry.name), join(to, entry.name)];
      // A link keeps its target, or the modules behind it would be found under another path.
      return entry.isSymbolicLink()
        ? ["--symlink", readlinkSync(join(seenAt, entry.name)), inside]
        : ["--ro-bind", own, inside];
    }),
  ];
}

const memory = (path: string, bytes: number): string[] => ["--size", String(bytes), "--tmpfs", path];

const isDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const MOST_ENTRIES = 1_500;
