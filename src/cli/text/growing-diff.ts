import { count } from "./amounts.ts";
import { printable } from "./printable.ts";

/** A change as it grows: every changed file so far, and the newest changed lines. */
export interface GrowingDiff {
  todo?: string | undefined;
  files: { path: string; added: number; removed: number }[];
  newest: string[];
}

/** So many of the newest lines stay: enough for a glance. */
const NEWEST_LINES = 4;
const NAMED_FILES = 4;

/** From two diffs of git: since the task began, and since the step before. Tests that were given are not the change. */
export function growingDiff(whole: string, step: string, given: string[] = [], todo?: string): GrowingDiff {
  const files: GrowingDiff["files"] = [];
  for (const { path, lines } of filesOf(whole)) {
    if (given.includes(path)) continue;
    const added = lines.filter((text) => text.startsWith("+")).length;
    files.push({ path, added, removed: lines.length - added });
  }
  return {
    todo,
    files,
    newest: filesOf(step)
      .flatMap(({ lines }) => lines.slice(-NEWEST_LINES))
      .slice(-NEWEST_LINES),
  };
}

/** Of each file the lines that were taken away and added. */
function filesOf(diff: string): { path: string; lines: string[] }[] {
  const files: { path: string; lines: string[] }[] = [];
  let inHunk = false;
  for (const text of diff.split("\n")) {
    if (text.startsWith("diff --git ")) {
      inHunk = false;
      files.push({ path: text.slice(text.lastIndexOf(" b/") + 3), lines: [] });
    } else if (text.startsWith("@@")) inHunk = true;
    else if (inHunk && /^[-+]/.test(text)) files.at(-1)?.lines.push(text);
  }
  return files;
}

/** `  2 files changed: fee.py +12 -3, tests/test_fee.py +30`, and the newest lines under it. */
export function growthLines({ todo, files, newest }: GrowingDiff, isNamed: boolean): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, NAMED_FILES).map(({ path, added, removed }) => {
    const amounts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])];
    return [printable(path), ...amounts].join(" ");
  });
  const rest = files.length > NAMED_FILES ? ", …" : "";
  const whose = isNamed && todo !== undefined ? `${printable(todo)}: ` : "";
  return [
    `  ${whose}${count(files.length, "file")} changed: ${named.join(", ")}${rest}`,
    ...newest.map((text) => printable(`    ${text.slice(0, 1)} ${text.slice(1).replaceAll("\t", "  ")}`)),
  ];
}
