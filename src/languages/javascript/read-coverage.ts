import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { Trace } from "../language.ts";

/** What we use of the files that Node writes for NODE_V8_COVERAGE. */
const Coverage = z.lazy(() =>
  z.object({
    result: z.array(
      z.object({
        url: z.string(),
        functions: z.array(
          z.object({
            ranges: z.array(z.object({ startOffset: z.int(), endOffset: z.int(), count: z.number() })),
          }),
        ),
      }),
    ),
  }),
);

interface Sources {
  paths: string[];
  read: (path: string) => string | null;
  /** As the processes saw it. */
  root: string;
  isTestFile: (path: string) => boolean;
}

/**
 * Each text is what one process wrote. Node runs each test file in a process of its own, so a line belongs to the test
 * files that its process loaded; in a process that loaded none, a test must have started it, and nobody knows which.
 */
export function readCoverage(texts: string[], { paths, read, root, isTestFile }: Sources): Trace {
  const lines: Trace["lines"] = new Map(paths.map((path) => [path, new Map()]));
  for (const text of texts) {
    const coverage = Coverage.safeParse(readJson(text));
    if (!coverage.success) continue;
    const scripts = coverage.data.result.map((script) => ({ ...script, path: pathOf(script.url, root) }));
    const testFiles = scripts.map(({ path }) => path).filter((path) => path !== null && isTestFile(path));
    const contexts = testFiles.length === 0 ? [""] : testFiles.map(String);
    for (const { path, functions } of scripts) {
      const known = path === null ? undefined : lines.get(path);
      const source = path === null ? null : read(path);
      if (!known || source === null) continue;
      const ranges = functions.flatMap((one) => one.ranges);
      for (const line of linesThatRan(source, ranges)) {
        const tests = known.get(line) ?? new Set<string>();
        for (const context of contexts) tests.add(context);
        known.set(line, tests);
      }
    }
  }
  return { lines, modules: [] };
}

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

/** The innermost range around a character says how often it ran. */
export function linesThatRan(source: string, ranges: Range[]): number[] {
  const counts = new Uint8Array(source.length);
  const outerFirst = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst) counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const found: number[] = [];
  let at = 0;
  for (const [index, line] of source.split("\n").entries()) {
    for (let place = 0; place < line.length; place += 1) {
      if (counts[at + place] === 1 && /[^\s{}()[\];,]/.test(line[place] ?? "")) {
        found.push(index + 1);
        break;
      }
    }
    at += line.length + 1;
  }
  return found;
}

function pathOf(url: string, root: string): string | null {
  if (!url.startsWith("file://")) return null;
  try {
    const path = fileURLToPath(url);
    return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
  } catch {
    return null;
  }
}
