import { isManifest } from "../../environments/manifest-files.ts";
import type { ReadBy } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { isTestSupport } from "../locks/test-config.ts";
import { type ChangedFile, mayBeAnswer } from "./change-parts.ts";
import { speaksOf } from "./spoken-of.ts";

/**
 * What runs show of changed files: what code opens or imports is no test's and no document, whatever it is called, and
 * data that is called an answer, that tests alone open and code does not speak of, is one of theirs. Of a file that nobody
 * opens nothing is known. A file of tests may be handed to any code by a test (`open_file(__file__)`): only code that
 * the change touches makes it its own.
 */
export function partsByReads(
  files: readonly ChangedFile[],
  reads: readonly ReadBy[],
  isTestFile: (path: string) => boolean,
  sources: () => readonly string[],
): ChangedFile[] {
  const { byCode, byTests } = openedBy(reads, isTestFile);
  const changed = new Set(files.filter(({ part }) => part === "source").map(({ path }) => path));
  const byChanged = new Set(reads.filter(({ reader }) => changed.has(reader)).map(({ path }) => path));
  return files.map((file) => {
    const isData = grammarOf(file.path) === null;
    const isTheirs = file.part === "test" || file.part === "test-support";
    const openers = file.part === "test" ? byChanged : byCode;
    if (isTheirs && (isData ? byCode : openers).has(file.path)) return { ...file, part: isData ? "other" : "source" };
    if (file.part === "documentation" && byCode.has(file.path)) return { ...file, part: "other" };
    const isText = isData && !isManifest(file.path) && file.part === "other" && mayBeAnswer(file.path);
    const isAnswer = isText && byTests.has(file.path) && !byCode.has(file.path);
    // Code may open in use what it opens in no test.
    return isAnswer && !sources().some((text) => speaksOf(text, file.path)) ? { ...file, part: "test-support" } : file;
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
