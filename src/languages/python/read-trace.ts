import { z } from "zod";
import { readJson } from "../../domain/json.ts";
import type { Trace } from "../language.ts";

const TraceLine = z.lazy(() =>
  z.union([
    z.object({ path: z.string(), test: z.string(), lines: z.array(z.int().positive()) }),
    z.object({ modules: z.array(z.string()) }),
  ]),
);

/** Each text is what one process wrote. */
export function readTraceLines(texts: string[], paths: string[]): Trace {
  const lines: Trace["lines"] = new Map(paths.map((path) => [path, new Map()]));
  const modules = new Set<string>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const read = TraceLine.safeParse(readJson(line));
    if (!read.success) continue;
    if ("modules" in read.data) {
      for (const name of read.data.modules) modules.add(name);
      continue;
    }
    const known = lines.get(read.data.path);
    if (!known) continue;
    for (const number of read.data.lines) {
      const tests = known.get(number) ?? new Set<string>();
      known.set(number, tests.add(read.data.test));
    }
  }
  return { lines, modules: [...modules].sort() };
}
