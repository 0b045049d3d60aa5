import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import { ALL_TESTS, type ReadBy, type Trace, type TraceFile } from "../language.ts";

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

/** What `READS` writes. */
const Reads = z.lazy(() =>
  z.object({ reads: z.array(z.tuple([z.string().max(4_096), z.string().max(4_096)])).max(25_000) }),
);

/** What `READS` writes in a process that a test file started. */
const Started = z.lazy(() => z.object({ startedBy: z.string().max(4_096) }));

/** What we use of the files that Istanbul's reporters write, as Jest and Vitest do: lines of all tests together. */
const Statements = z.lazy(() =>
  z.record(
    z.string(),
    z.object({
      statementMap: z.record(
        z.string(),
        z.object({ start: z.object({ line: z.int() }), end: z.object({ line: z.int() }) }),
      ),
      s: z.record(z.string(), z.number()),
      /** A function from its name to the beginning of its body, which is no statement. */
      fnMap: z
        .record(
          z.string(),
          z.object({
            decl: z.object({ start: z.object({ line: z.int() }) }),
            loc: z.object({ start: z.object({ line: z.int() }) }),
          }),
        )
        .default({}),
      f: z.record(z.string(), z.number()).default({}),
    }),
  ),
);

interface Sources {
  paths: string[];
  read: (path: string) => string | null;
  /** As the processes saw it. */
  root: string;
  isTestFile: (path: string) => boolean;
}

/**
 * Each file is what one process wrote. Node runs each test file in a process of its own, so a line belongs to the test
 * files that its process loaded; in a process that loaded none, to the test file that started it, where that is known.
 */
export function readCoverage(files: TraceFile[], { paths, read, root, isTestFile }: Sources): Trace {
  const lines: Trace["lines"] = new Map(paths.map((path) => [path, new Map()]));
  const reads: ReadBy[] = [];
  const starters = startersOf(files, isTestFile);
  for (const { name, text } of files) {
    const coverage = Coverage.safeParse(readJson(text));
    if (!coverage.success) {
      for (const [reader, path] of Reads.safeParse(readJson(text)).data?.reads ?? []) reads.push({ reader, path });
      for (const [path, ran] of statementLines(text, root)) {
        const known = lines.get(path);
        for (const line of ran) known?.set(line, new Set([ALL_TESTS]));
      }
      continue;
    }
    const scripts = coverage.data.result.map((script) => ({ ...script, path: pathOf(script.url, root) }));
    const testFiles = scripts
      .map(({ path }) => path)
      .filter((path) => path !== null && isTestFile(path) && !/(^|\/)node_modules\//.test(path));
    const contexts = testFiles.length === 0 ? [starters.get(processOf(name)) ?? ""] : testFiles.map(String);
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
  return { lines, modules: [], reads };
}

/** By process the test file that started it, itself or through others. */
const startersOf = (files: TraceFile[], isTestFile: (path: string) => boolean): Map<string, string> =>
  new Map(
    files.flatMap(({ name, text }) => {
      const by = name.startsWith("started-") ? Started.safeParse(readJson(text)).data?.startedBy : undefined;
      return by !== undefined && isTestFile(by) ? [[processOf(name), by] as const] : [];
    }),
  );

/** The id of the process that wrote a file: `coverage-123-…`, `started-123-0`. */
const processOf = (name: string): string => name.split("-")[1] ?? "";

/** Inner statements say more of a line than those around them. */
function statementLines(text: string, root: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [place, { statementMap, s, fnMap, f }] of Object.entries(
    Statements.safeParse(readJson(text)).data ?? {},
  )) {
    const runs = new Map<number, boolean>();
    const outerFirst = Object.entries(statementMap).toSorted(
      ([, a], [, b]) => a.start.line - b.start.line || b.end.line - a.end.line,
    );
    for (const [id, { start, end }] of outerFirst) {
      const last = Math.min(end.line, start.line + MOST_LINES);
      for (let line = start.line; line <= last; line += 1) runs.set(line, (s[id] ?? 0) > 0);
    }
    for (const [id, { decl, loc }] of Object.entries(fnMap)) {
      const last = Math.min(loc.start.line, decl.start.line + MOST_LINES);
      for (let line = decl.start.line; line <= last; line += 1) if ((f[id] ?? 0) > 0) runs.set(line, true);
    }
    const path = place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place;
    found.set(
      path,
      [...runs].flatMap(([line, ran]) => (ran ? line : [])),
    );
  }
  return found;
}

const MOST_LINES = 20_000;

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
