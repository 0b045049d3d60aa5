import type { TestFile } from "../../domain/plan/test-file.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { outlineTests } from "../locks/test-outline.ts";

/**
 * What can be said, without running it, against a file of tests that was written anew because of some tests in it:
 * everything else must say what it said, and each requirement of theirs must have a test again.
 */
export async function rewriteProblem(
  parsers: SyntaxParsers,
  old: TestFile,
  files: TestFile[],
  atFault: string[],
): Promise<string | undefined> {
  const [file, ...others] = files;
  if (!file || others.length > 0) return "give exactly one file";
  if (file.path !== old.path) return `the path stays ${old.path}`;
  if (file.todo !== old.todo) return `the todo stays ${old.todo}`;
  if (file.heldOut) return "the file is for the coder to see: not heldOut";
  const known = new Set(old.covers.map(({ requirement }) => requirement));
  const unknown = file.covers.find(({ requirement }) => !known.has(requirement));
  if (unknown) return `${unknown.test}: the file is about ${[...known].join(", ")}, not ${unknown.requirement}`;
  const before = await wordsByName(parsers, old);
  const after = await wordsByName(parsers, file);
  const isMeant = (name: string, one: string) =>
    name === one || name.endsWith(`::${one}`) || name.endsWith(` > ${one}`);
  const isChanged = ([name, words]: [string, string]) => after.get(name) !== words;
  const changed = [...before].filter((one) => isChanged(one) && !atFault.some((fault) => isMeant(one[0], fault)));
  if (changed.length > 0) return `${changed.map(([name]) => name).join(", ")} must stay word for word as it is`;
  const same = atFault.filter((fault) => {
    const meant = [...before].filter(([name]) => isMeant(name, fault));
    return meant.length > 0 && !meant.some(isChanged);
  });
  if (same.length > 0) return `${same.join(", ")} says the same as before`;
  const kept = old.covers.filter(({ test }) => !atFault.includes(test));
  const lost = kept.find(({ test, requirement }) => !covers(file, test, requirement));
  if (lost) return `${lost.test} still covers ${lost.requirement}`;
  const stays = new Set(kept.map(({ test }) => test));
  const bare = old.covers
    .filter(({ test }) => atFault.includes(test))
    .find(({ requirement }) => !file.covers.some((one) => one.requirement === requirement && !stays.has(one.test)));
  return bare && `no new test covers ${bare.requirement} in the place of ${bare.test}`;
}

const covers = (file: TestFile, test: string, requirement: string): boolean =>
  file.covers.some((one) => one.test === test && one.requirement === requirement);

async function wordsByName(parsers: SyntaxParsers, { path, content }: TestFile): Promise<Map<string, string>> {
  const outlines = await outlineTests(path, content, parsers);
  return new Map(outlines.map(({ name, words }) => [name, words]));
}
