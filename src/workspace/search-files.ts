import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { createContext, Script } from "node:vm";
import { fail } from "../domain/failure.ts";
import { Breather } from "./breather.ts";
import { errorCode } from "./error-code.ts";
import { matchesAny } from "./glob.ts";
import { isSecretContent, isSuspectName } from "./left-out.ts";

export interface SearchOptions {
  glob?: string | undefined;
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
}

const MOST_RESULTS = 100;
const MOST_FILE_BYTES = 2 << 20;
/** A longer line is matched and shown only up to this length. */
const MOST_LINE = 2000;
const SHOWN = 240;
const TIME_MS = 2000;

type Matcher = (lines: string[], remainingMs: number) => number[];

/**
 * `path:line: text` for each match, limited in number, length and time. `paths` are sorted and inside the workspace.
 */
export async function searchFiles(
  root: string,
  paths: string[],
  pattern: string,
  options: SearchOptions,
): Promise<string[]> {
  if (pattern === "") throw fail("invalid-input", "search.pattern", "the pattern is empty");
  const matcher = options.regex
    ? regexMatcher(pattern, options.ignoreCase ?? false)
    : literalMatcher(pattern, options.ignoreCase ?? false);
  const deadline = performance.now() + TIME_MS;
  const breather = new Breather();
  const found: string[] = [];
  for (const path of paths) {
    if (options.glob !== undefined && !matchesAny([options.glob], path)) continue;
    if (breather.due) await breather.breathe();
    const remaining = deadline - performance.now();
    if (remaining <= 0) return [...found, `[stopped after ${TIME_MS / 1000} s: narrow the search with a glob]`];
    const text = readText(`${root}/${path}`);
    if (text === null) continue;
    const lines = text.split("\n").map((line) => line.slice(0, MOST_LINE).replace(/\r$/, ""));
    for (const index of matcher(lines, remaining)) {
      if (found.length === MOST_RESULTS) return [...found, `[more than ${MOST_RESULTS} matches: narrow the search]`];
      const line = lines[index] ?? "";
      found.push(`${path}:${index + 1}: ${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line}`);
    }
  }
  return found;
}

function literalMatcher(pattern: string, ignoreCase: boolean): Matcher {
  const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
  const matches = (line: string) => (ignoreCase ? line.toLowerCase() : line).includes(wanted);
  return (lines) => indexesOf(lines, matches);
}

/** A pattern may take exponential time. Only the time limit of the virtual machine can stop a match from outside. */
function regexMatcher(pattern: string, ignoreCase: boolean): Matcher {
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, ignoreCase ? "i" : "");
  } catch (cause) {
    throw fail("invalid-input", "search.pattern", `the pattern is no regular expression: ${String(cause)}`, { cause });
  }
  const context = createContext({ run: () => {} });
  const script = new Script("run()");
  return (lines, remainingMs) => {
    let indexes: number[] = [];
    context.run = () => {
      indexes = indexesOf(lines, (line) => regex.test(line));
    };
    try {
      script.runInContext(context, { timeout: Math.max(1, Math.ceil(remainingMs)) });
    } catch (cause) {
      if (errorCode(cause) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw cause;
      const message = `the pattern took more than ${TIME_MS / 1000} s: write it without nested repetition, or search for plain text`;
      throw fail("invalid-input", "search.slow", message, { cause });
    }
    return indexes;
  };
}

function indexesOf(lines: string[], matches: (line: string) => boolean): number[] {
  const indexes: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (matches(line)) indexes.push(index);
    if (indexes.length > MOST_RESULTS) break;
  }
  return indexes;
}

/** Null if it is no text, is too large, or is gone. */
function readText(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return null;
    const bytes = readFileSync(file);
    if (isSuspectName(path.slice(path.lastIndexOf("/") + 1)) && isSecretContent(bytes)) return null;
    return bytes.subarray(0, 8000).includes(0) ? null : bytes.toString("utf8");
  } finally {
    closeSync(file);
  }
}
