import { dirname } from "node:path/posix";
import type { AccountLine } from "../../domain/evidence/account.ts";
import { listsPackages } from "../../environments/manifest-files.ts";
import { matchesAny } from "../../workspace/glob.ts";
import { isMissedPlace } from "./account-of-code.ts";
import { saysWord } from "./says-word.ts";

/** What was said before any code was written. */
export interface AskedFor {
  /** The goal and its requirements. */
  words: string;
  /** Paths or globs that the plan names as what its todos make. */
  artifacts: readonly string[];
  /** By which words new packages are allowed: `--approve deps`, a person's answer, the list. None runs unallowed. */
  packages?: string;
  /** There are no tests for this kind of goal: then its words must do for code as well. */
  code: boolean;
}

/**
 * Marks places that were asked for by name. Data, settings and documents need no test where somebody asked for that very
 * file; code does, whoever named it.
 */
export function markAsked(account: readonly AccountLine[], asked: AskedFor): AccountLine[] {
  const howOf = (line: AccountLine): string | null => {
    if (line.standing !== "not-judged") return null;
    // Who names what is to go need not test that it is gone.
    if (line.unit !== undefined && isMissedPlace(line) && saysUnit(asked.words, line.unit)) return "the goal names it";
    if (line.unit !== undefined && !asked.code) return null;
    if (asked.packages !== undefined && isAboutPackages(line)) return `packages are allowed: ${asked.packages}`;
    return namedBy(line.path, asked);
  };
  const named = new Map(account.flatMap((line) => (howOf(line) === null ? [] : [[line.path, howOf(line)] as const])));
  // What a package manager writes beside a manifest follows from it.
  const manifests = new Set([...named.keys()].filter((path) => MANIFEST.test(path)).map(dirname));
  return account.map((line) => {
    const how = howOf(line);
    if (how !== null) return { ...line, explained: how };
    const follows = line.standing === "not-judged" && LOCK.test(line.path) && manifests.has(dirname(line.path));
    return follows ? { ...line, explained: "it follows from the manifest beside it, which was asked for" } : line;
  });
}

export const isAskedFor = (path: string, asked: AskedFor): boolean => namedBy(path, asked) !== null;

function namedBy(path: string, { words, artifacts }: AskedFor): string | null {
  if (says(words, path)) return "the goal names it";
  return matchesAny([...artifacts], path) ? "the plan names it" : null;
}

/** A lockfile, or a manifest of which nothing but what it depends on is another. */
function isAboutPackages({ path, why }: AccountLine): boolean {
  const fields = [...why.matchAll(/`([^`]+)`/g)].map(([, field = ""]) => field);
  return listsPackages(path) && fields.every((field) => /dependenc/i.test(field));
}

const MANIFEST = /(^|\/)(package\.json|pyproject\.toml|go\.mod|Pipfile)$/;
const LOCK = /(^|\/)([\w-]+\.lock|package-lock\.json|pnpm-lock\.yaml|Pipfile\.lock|go\.sum)$/;

/** `total` of `Cart.total`. */
function saysUnit(words: string, unit: string): boolean {
  const name = unit.split(".").at(-1) ?? unit;
  return /^[\w$]+$/.test(name) && saysWord(words, name);
}

/** The path, or the end of it, as a word. */
function says(words: string, path: string): boolean {
  const names = path.split("/").map((_, index, folders) => folders.slice(index).join("/"));
  return names.some((name) => {
    return new RegExp(`(?<![\\w/.-])(\\./)?${RegExp.escape(name)}(?![\\w/-]|\\.\\w)`).test(words);
  });
}
