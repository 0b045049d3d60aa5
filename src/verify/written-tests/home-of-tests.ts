import { posix } from "node:path";
import type { SourceFile } from "../../languages/language.ts";
import { importedAs, importedFiles } from "../change/imported-files.ts";

/**
 * Where a maintainer would put new tests: into the file of tests that is named after the code they test, else into the
 * only one that tests this code, else into a new one that is named after it as the project names its own. Only within
 * their folder, so that what they import is where it was. Their own path where nothing better is known.
 */
export function homeOfTests(added: SourceFile, changed: string[], tests: SourceFile[]): string {
  const code = testedBy(added, changed);
  // A project without tests has no custom yet.
  if (code === undefined || tests.length === 0) return added.path;
  const near = tests.filter(({ path }) => posix.dirname(path) === posix.dirname(added.path));
  const named = near.filter(({ path }) => subjectOf(path) === nameOf(code));
  if (named.length > 0) return named.length === 1 ? (named[0]?.path ?? added.path) : added.path;
  const testing = tests.filter(({ path, content }) => imports({ path, content }, code));
  const [only, ...others] = testing;
  if (only && others.length === 0 && near.includes(only)) return only.path;
  return posix.join(posix.dirname(added.path), testName(added.path, nameOf(code), near[0]?.path));
}

/** The one changed file that the tests are about. */
function testedBy(added: SourceFile, changed: string[]): string | undefined {
  const imported = changed.filter((path) => imports(added, path));
  const about = imported.length > 0 ? imported : changed;
  return about.length === 1 ? about[0] : undefined;
}

const imports = ({ path, content }: SourceFile, code: string): boolean => {
  const taken = importedFiles(path, content);
  return importedAs(code).some((name) => taken.has(name));
};

/** What a file of code is called: a package by its folder. */
function nameOf(path: string): string {
  const bare = posix.basename(path).replace(/\.[a-z]+$/, "");
  return bare === "__init__" || bare === "index" ? posix.basename(posix.dirname(path)) : bare;
}

const AFFIXES = /^(test_)?(.*?)(_test|_tests|\.test|\.spec)?(\.[a-z]+)$/;

/** What a file of tests is named after: `test_invoice.py`, `invoice.test.ts`. */
const subjectOf = (path: string): string => AFFIXES.exec(posix.basename(path))?.[2] ?? "";

/** A file of tests of this name, in the manner of another one of the project. */
function testName(own: string, name: string, like: string | undefined): string {
  const [, before = "", , after = "", ending = ""] = AFFIXES.exec(posix.basename(like ?? own)) ?? [];
  const [, , , , ownEnding = ending] = AFFIXES.exec(posix.basename(own)) ?? [];
  if (before === "" && after === "") return posix.basename(own);
  return `${before}${name}${after}${ownEnding}`;
}
