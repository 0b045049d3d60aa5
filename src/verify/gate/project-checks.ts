import { z } from "zod";

/** A check of the project's own besides its tests: lint, type check. */
export const ProjectCheck = z.object({
  command: z.string(),
  /** What it complained about before the change, a line each; empty when it passed. */
  before: z.array(z.string()),
  /** Set where the project brings no check of its own: tools of its language. They judge the code, not the given tests. */
  ofLanguage: z.literal(true).optional(),
});
export type ProjectCheck = z.infer<typeof ProjectCheck>;

/** Commands that judge tests, too. */
export const forTester = (checks: ProjectCheck[]): string[] =>
  checks.flatMap(({ command, ofLanguage }) => (ofLanguage ? [] : [command]));

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
  /: No module named \S+$/m.test(output) ||
  /command not found|No such file or directory|Cannot find module|not found in PATH|ERR_MODULE_NOT_FOUND/.test(output);

const MOST_LINES = 200;

/** Without the numbers in it: a line that moved is no new one. */
const kindOf = (line: string): string => line.replace(/\d+/g, "#").trim();

export function complaints(output: string): string[] {
  return [...new Set(output.split("\n").map(kindOf))].filter((line) => /\w/.test(line)).slice(0, MOST_LINES);
}

/** What is new; a check that failed before and fails still is held against nobody unless it says something new. */
export function compareCheck(
  { command, before, ofLanguage }: ProjectCheck,
  passed: boolean,
  output: string,
  isTest: (path: string) => boolean = () => false,
): CheckResult {
  const known = new Set(before);
  // With their numbers: whoever is to mend it needs the line and the code of the error.
  const said = passed ? [] : output.split("\n").map((line) => line.trim());
  const fresh = said.filter((line) => /\w/.test(line) && !known.has(kindOf(line))).slice(0, MOST_LINES);
  if (ofLanguage) {
    const fair = ofCode(fresh, isTest);
    return { command, passed: fair.length === 0, fresh: fair };
  }
  // Sums change with every complaint: only lines that name a place count where there were complaints before.
  const telling = before.length === 0 ? fresh : fresh.filter((line) => /\.(py|go|[cm]?[jt]sx?)\b/.test(line));
  return { command, passed: passed || telling.length === 0, fresh: telling };
}

/** Node names a file by its whole path, as the sandbox shows it. */
const PLACE =
  /(?:^|[\s"'])(?:\.\/|(?:file:\/\/)?\/workspace\/)?((?:[\w@.-]+\/)*[\w@.-]+\.(?:py|go|[cm]?[jt]sx?))["']?[:,(.]/;
/** The compiler does not find what a file builds on: what else it says of that file is a guess. */
const UNREAD = /error TS(?:2307|2580|2591|7016)\b/;

/** What tools of the language say of the code: neither of given tests, nor where types of a package are not there. */
function ofCode(lines: string[], isTest: (path: string) => boolean): string[] {
  const pathOf = (line: string) => PLACE.exec(line)?.[1];
  const unread = new Set(lines.filter((line) => UNREAD.test(line)).map(pathOf));
  const isLeftOut = (path: string) => isTest(path) || unread.has(path);
  let left = false;
  // Lines without a place belong to the one before them.
  const told = lines.filter((line) => {
    const path = pathOf(line);
    if (path !== undefined) left = isLeftOut(path);
    return !left;
  });
  return told.some((line) => pathOf(line) !== undefined) ? told : [];
}
