import type { Trace } from "../language.ts";

const BLOCK = /^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/;

/** What `-coverprofile` wrote, one text for each test, below two lines of ours: the module, and which test it was. */
export function readProfiles(texts: string[], paths: string[]): Trace {
  const lines: Trace["lines"] = new Map(paths.map((path) => [path, new Map()]));
  for (const text of texts) {
    const module = /^module\t(.*)$/m.exec(text)?.[1] ?? "";
    const test = /^test\t(.*)$/m.exec(text)?.[1] ?? "";
    for (const line of text.split("\n")) {
      const [, file = "", from, to, count] = BLOCK.exec(line) ?? [];
      const known = file.startsWith(`${module}/`) ? lines.get(file.slice(module.length + 1)) : undefined;
      if (!known || Number(count) === 0) continue;
      for (let at = Number(from); at <= Math.min(Number(to), Number(from) + LONGEST_BLOCK); at += 1) {
        known.set(at, (known.get(at) ?? new Set()).add(test));
      }
    }
  }
  return { lines, modules: [] };
}

const LONGEST_BLOCK = 10_000;
