import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareBytes } from "./git-objects.ts";
import { directoryLeftOut, isDotGit } from "./left-out.ts";

export interface WalkOptions {
  depth: number;
  limit: number;
  /** Also list directories that are empty or not entered, with a slash at the end. */
  directories: boolean;
  /** Whether a path is listed at all. */
  shows: (path: string) => boolean;
}

/**
 * Files below a directory in the order of their paths. Links are listed but not followed, dependencies are not entered.
 */
export function* walkFiles(directory: string, prefix: string, options: WalkOptions): Generator<string> {
  let { limit } = options;
  for (const entry of entriesOf(directory)) {
    if (limit <= 0) return;
    const path = prefix + nameOf(entry);
    if (!entry.isDirectory()) {
      if (!options.shows(path)) continue;
      limit -= 1;
      yield path;
      continue;
    }
    const entered = directoryLeftOut(entry.name) === null && options.depth > 1;
    const below = { ...options, depth: options.depth - 1, limit };
    let count = 0;
    for (const found of entered ? walkFiles(join(directory, entry.name), path, below) : []) {
      count += 1;
      yield found;
    }
    if (count === 0 && options.directories && options.shows(path.slice(0, -1))) {
      count = 1;
      yield path;
    }
    limit -= count;
  }
}

/** A directory that cannot be read counts as empty. */
function entriesOf(directory: string): Dirent[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => !isDotGit(entry.name));
    return entries.sort((a, b) => compareBytes(nameOf(a), nameOf(b)));
  } catch {
    return [];
  }
}

const nameOf = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
