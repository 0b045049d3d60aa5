import type { FileOutline, FilePart, TestOutline } from "../locks/test-outline.ts";

/**
 * How a change reaches a test of the base: what the test itself does, what stands around that (decorators, a table of
 * cases, when it is skipped), or something that it leans on.
 */
export type Touch = "own" | "around" | "shared";

/** What differs between a file of tests as it was and as it is, beside the tests that stand there by name. */
export interface FileDifference {
  /** Something that concerns every test of the file. */
  all: boolean;
  /** Names that mean something else now. */
  names: ReadonlySet<string>;
  /** Tests that stand within something that reads otherwise. */
  within: ReadonlySet<string>;
  /** Tests whose names are put together when they run: which of them differ cannot be read. */
  computed: boolean;
}

/** What runners call by themselves, without anybody naming it. */
const CALLED_BY_RUNNER = /^(set_?up|tear_?down|pytest|test_?main$|init$|(before|after)(all|each)?$)/i;
const FOR_ALL = /\bautouse\b/;

/** `reported`: names of the tests of this file that ran, before or after. */
export function fileDifference(was: FileOutline, is: FileOutline, reported: ReadonlySet<string>): FileDifference {
  const loose = ({ tests }: FileOutline) =>
    tests
      .filter(({ name, same }) => !same && !reported.has(name))
      .map(({ words }) => words)
      .join("\n");
  const computed = loose(was) !== loose(is);
  const changed = [...without(was.parts, is.parts), ...without(is.parts, was.parts)];
  const names = new Set(changed.flatMap((part) => part.names));
  // What means the same is asked as it was: a type that it says now concerns nobody.
  const parts = [...was.parts, ...is.parts.filter(({ same }) => !same)];
  // Who says a name that means something else means something else as well.
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const part of parts) if (says(part.words, names)) for (const name of part.names) names.add(name);
  }
  const reached = parts.filter((part) => changed.includes(part) || says(part.words, names));
  const isForAll = ({ names: own, words, tests }: FilePart) =>
    tests.length === 0 && (own.length === 0 || FOR_ALL.test(words) || own.some((name) => CALLED_BY_RUNNER.test(name)));
  return { all: reached.some(isForAll), names, within: new Set(reached.flatMap(({ tests }) => tests)), computed };
}

/** Null when nothing of it reads otherwise. Of a test that is not found in the text only its file can tell. */
export function touchOf(
  was: TestOutline | undefined,
  is: TestOutline | undefined,
  { all, names, within, computed }: FileDifference,
): Touch | null {
  if (was && is && was.body !== is.body && !(was.same && is.same)) return was.does === is.does ? "around" : "own";
  if (was === undefined || is === undefined) return computed || all || names.size > 0 ? "own" : null;
  return all || within.has(was.name) || within.has(is.name) || says(was.body, names) ? "shared" : null;
}

function without(parts: readonly FilePart[], others: readonly FilePart[]): FilePart[] {
  const known = new Set(others.map(({ words }) => words));
  return parts.filter(({ words, same }) => !same && !known.has(words));
}

const says = (words: string, names: ReadonlySet<string>): boolean =>
  names.size > 0 && words.split(/[^\w$]+/).some((word) => names.has(word));
