import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { ReadBy, Trace } from "../language.ts";

/** Pairs of who read and what. */
const READS = z.array(z.tuple([z.string().max(4_096), z.string().max(4_096)])).max(25_000);

const TraceLine = z.lazy(() =>
  z.union([
    z.object({ path: z.string(), test: z.string(), lines: z.array(z.int().positive()) }),
    z.object({ modules: z.array(z.string()) }),
    z.object({ reads: READS }),
  ]),
);

/** Each text is what one process wrote. */
export function readTraceLines(texts: string[], paths: string[]): Trace {
  const lines: Trace["lines"] = new Map(paths.map((path) => [path, new Map()]));
  const modules = new Set<string>();
  const reads: ReadBy[] = [];
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const read = TraceLine.safeParse(readJson(line));
    if (!read.success) continue;
    if ("modules" in read.data) {
      for (const name of read.data.modules) modules.add(name);
      continue;
    }
    if ("reads" in read.data) {
      reads.push(...read.data.reads.map(([reader, path]) => ({ reader, path })));
      continue;
    }
    const known = lines.get(read.data.path);
    if (!known) continue;
    for (const number of read.data.lines) {
      const tests = known.get(number) ?? new Set<string>();
      known.set(number, tests.add(read.data.test));
    }
  }
  return { lines, modules: [...modules].sort(), reads };
}
