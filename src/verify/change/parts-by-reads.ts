import type { ReadBy } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { isTestSupport } from "../locks/test-config.ts";
import type { ChangedFile } from "./change-parts.ts";

/**
 * What runs show of changed files: what code opens or imports is no test's, whatever it is called, and data that tests
 * alone open is an answer of theirs, wherever it stands. Of a file that nobody opens nothing is known. A file of tests
 * may be handed to any code by a test (`open_file(__file__)`): only code that the change touches makes it its own.
 */
export function partsByReads(
  files: readonly ChangedFile[],
  reads: readonly ReadBy[],
  isTestFile: (path: string) => boolean,
): ChangedFile[] {
  const { byCode, byTests } = openedBy(reads, isTestFile);
  const changed = new Set(files.filter(({ part }) => part === "source").map(({ path }) => path));
  const byChanged = new Set(reads.filter(({ reader }) => changed.has(reader)).map(({ path }) => path));
  return files.map((file) => {
    const isData = grammarOf(file.path) === null;
    const isTheirs = file.part === "test" || file.part === "test-support";
    if (isTheirs && (isData ? byCode : byChanged).has(file.path)) return { ...file, part: isData ? "other" : "source" };
    const isAnswer = isData && file.part === "other" && byTests.has(file.path) && !byCode.has(file.path);
    return isAnswer ? { ...file, part: "test-support" } : file;
  });
}

/** Which paths code opens, and which tests do, with those of them that do. */
export function openedBy(
  reads: readonly ReadBy[],
  isTestFile: (path: string) => boolean,
): { byCode: Set<string>; byTests: Map<string, string[]> } {
  const isTests = (path: string) => isTestFile(path) || isTestSupport(path) || /(^|\/)conftest\.py$/.test(path);
  const theirs = reads.filter(({ reader }) => isTests(reader));
  return {
    byCode: new Set(reads.filter(({ reader }) => !isTests(reader)).map(({ path }) => path)),
    byTests: new Map(
      [...Map.groupBy(theirs, ({ path }) => path)].map(([path, by]) => [path, by.map(({ reader }) => reader)]),
    ),
  };
}
