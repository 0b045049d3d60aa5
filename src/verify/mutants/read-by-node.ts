import { meaningOf, readScript } from "../../languages/javascript/read-script.ts";
import type { MutationEdit } from "../../languages/mutations.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/** Parsed again for every mutant of it: what is larger is left to the tests. */
const LARGEST_PART = 60_000;

/**
 * Leaves out mutants of JavaScript and TypeScript that Node could not read, as every test would notice them, and those
 * that it reads as the original or as another one. Only the part of the file is read that an edit is in.
 */
export function readByNode<Edit extends Pick<MutationEdit, "from" | "to" | "replacement"> & { part: SyntaxNode }>(
  path: string,
  edits: readonly Edit[],
  text: string,
): Edit[] {
  if (!/\.[cm]?[jt]s$/i.test(path)) return [...edits];
  const known = new Map<SyntaxNode, { as: string; meanings: Set<string> } | null>();
  const open = (part: SyntaxNode) => {
    const found = known.get(part);
    if (found !== undefined) return found;
    const original = part.to - part.from > LARGEST_PART ? null : readScript(path, text.slice(part.from, part.to));
    const isRead = original !== null && !("unreadable" in original);
    const opened = isRead
      ? { as: sureOf(path, original.goal), meanings: new Set([meaningOf(original.program)]) }
      : null;
    known.set(part, opened);
    return opened;
  };
  return edits.filter(({ part, from, to, replacement }) => {
    const opened = open(part);
    if (!opened) return true;
    const mutated = readScript(opened.as, text.slice(part.from, from) + replacement + text.slice(to, part.to));
    if ("unreadable" in mutated) return false;
    const meaning = meaningOf(mutated.program);
    const isNew = !opened.meanings.has(meaning);
    opened.meanings.add(meaning);
    return isNew;
  });
}

/** The name of a file that can only be read in this way: then it is read once. */
const sureOf = (path: string, goal: "module" | "script"): string =>
  `a.${goal === "module" ? "m" : "c"}${/ts$/i.test(path) ? "ts" : "js"}`;
