import { git } from "../projects/project.ts";

/** Lines of each file that a commit added, by their numbers in its result. */
export function addedLines(copy: string, base: string, head: string, paths: string[]): Map<string, Set<number>> {
  const diff = git(copy, "diff", "-U0", "--no-renames", "--no-ext-diff", base, head, "--", ...paths);
  const added = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of diff.split("\n")) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) {
      lines = new Set();
      added.set(file, lines);
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const [first, count] = [Number(hunk[1]), Number(hunk[2] ?? "1")];
    for (let number = first; number < first + count; number += 1) lines.add(number);
  }
  return added;
}
