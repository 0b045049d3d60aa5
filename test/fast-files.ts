import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** What starts processes and servers, or reaches them. */
const OUTSIDE = /^node:(child_process|cluster|dgram|http|http2|https|net|worker_threads)$|^pg$/;

/** Ours that do. */
const DOORS = ["app.ts", "sandbox/open-sandbox.ts", "sandbox/bubblewrap.ts", "sandbox/docker/docker.ts"].map((file) =>
  join("src", file),
);

/** Imports stand first in a file; whatever looks like one further down is text of a sample. */
const HEAD = /^(?:(?:import\s[^;]*;|\/\*[\s\S]*?\*\/|\/\/.*)?\n)*/;
const STATIC = /^import\s(?!type\s)[^;"]*"([^"]+)"/gm;
const LAZY = /\bimport\(\s*"(\.[^"]+)"\s*\)/g;

/** At the beginning of a line: for tests of which only what they test knows that it starts something. */
const MARK = /^\/\/ Starts processes: /m;

/**
 * The files of tests that need no sandbox, no server and no process: neither they, nor what is there for tests alone, nor
 * the file that they test imports anything of that kind. That they start nothing in truth is seen when they run: there
 * `test/nothing-outside.ts` refuses it.
 */
export function fastFiles(root: string): string[] {
  const read = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    const known = read.get(file) ?? importedBy(root, file);
    read.set(file, known);
    return known;
  };
  const shipped = reachable(["src/cli/main.ts"], importsOf, () => true);
  const startsSomething = (file: string) => DOORS.includes(file) || importsOf(file).some((name) => OUTSIDE.test(name));
  return globSync(["src/**/*.test.ts", "test/*.test.ts"], { cwd: root }).filter((test) => {
    if (MARK.test(readFileSync(join(root, test), "utf8"))) return false;
    const forTests = reachable([test], importsOf, (file) => !shipped.has(file));
    return ![...forTests].some(startsSomething);
  });
}

/** All files that these lead to; beyond one that is not to be followed nothing is looked at. */
function reachable(from: string[], importsOf: (file: string) => string[], isFollowed: (file: string) => boolean) {
  const found = new Set(from);
  for (const file of found) {
    if (isFollowed(file)) for (const next of importsOf(file)) if (next.endsWith(".ts")) found.add(next);
  }
  return found;
}

/** Our own files as paths from the root, others by their name. */
function importedBy(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const [head = ""] = HEAD.exec(text) ?? [];
  const named = [...head.matchAll(STATIC), ...text.matchAll(LAZY)].map(([, name = ""]) =>
    name.startsWith(".") ? relative(root, join(root, dirname(file), name)) : name,
  );
  return named.filter((name) => !name.endsWith(".ts") || existsSync(join(root, name)));
}
