import { z } from "zod";

/** A check of the project's own besides its tests: lint, type check. */
export const ProjectCheck = z.object({
  command: z.string(),
  /** What it complained about before the change, a line each; empty when it passed. */
  before: z.array(z.string()),
});
export type ProjectCheck = z.infer<typeof ProjectCheck>;

export const CheckResult = z.object({
  command: z.string(),
  passed: z.boolean(),
  /** Complaints that were not there before. */
  fresh: z.array(z.string()),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** The commands a project brings, by its files: its own scripts first, then tools that it configures. */
export function checkCommands(read: (path: string) => string | null, has: (path: string) => boolean): string[] {
  const scripts = scriptsOf(read("package.json"));
  const named = ["lint", "typecheck", "type-check", "check-types"].filter((name) => scripts.has(name));
  // As `npm run` would, but npm itself need not be there.
  const commands = named.map((name) => `export PATH="$PWD/node_modules/.bin:$PATH"; ${scripts.get(name)}`);
  const pyproject = read("pyproject.toml") ?? "";
  const setup = read("setup.cfg") ?? "";
  if (has("ruff.toml") || has(".ruff.toml") || /^\[tool\.ruff\b/m.test(pyproject))
    commands.push("ruff check --no-cache .");
  if (has("mypy.ini") || /^\[tool\.mypy\b/m.test(pyproject) || /^\[mypy\b/m.test(setup))
    commands.push("mypy --cache-dir=/dev/null .");
  if (has("go.mod")) commands.push("go vet ./...");
  const typed = named.some((name) => /type/.test(name));
  if (!typed && has("tsconfig.json")) commands.push("node_modules/.bin/tsc --noEmit -p .");
  return commands;
}

function scriptsOf(manifest: string | null): Map<string, string> {
  try {
    const parsed: unknown = JSON.parse(manifest ?? "");
    const read = z.object({ scripts: z.record(z.string(), z.string()) }).safeParse(parsed);
    return new Map(read.success ? Object.entries(read.data.scripts) : []);
  } catch {
    return new Map();
  }
}

/** A tool that is not there says nothing about the code. */
export const isUnavailable = (exitCode: number | null, output: string): boolean =>
  exitCode === 127 ||
  exitCode === 126 ||
  /command not found|No such file or directory|Cannot find module|not found in PATH|ERR_MODULE_NOT_FOUND/.test(output);

const MOST_LINES = 200;

/** Without the numbers in it: a line that moved is no new one. */
const kindOf = (line: string): string => line.replace(/\d+/g, "#").trim();

export function complaints(output: string): string[] {
  return [...new Set(output.split("\n").map(kindOf))].filter((line) => /\w/.test(line)).slice(0, MOST_LINES);
}

/** What is new; a check that failed before and fails still is held against nobody unless it says something new. */
export function compareCheck({ command, before }: ProjectCheck, passed: boolean, output: string): CheckResult {
  const known = new Set(before);
  // With their numbers: whoever is to mend it needs the line and the code of the error.
  const said = passed ? [] : output.split("\n").map((line) => line.trim());
  const fresh = said.filter((line) => /\w/.test(line) && !known.has(kindOf(line))).slice(0, MOST_LINES);
  // Sums change with every complaint: only lines that name a place count where there were complaints before.
  const telling = before.length === 0 ? fresh : fresh.filter((line) => /\.(py|go|[cm]?[jt]sx?)\b/.test(line));
  return { command, passed: passed || telling.length === 0, fresh: telling };
}
