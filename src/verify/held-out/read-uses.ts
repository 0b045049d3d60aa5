import type { SourceFile } from "../../languages/language.ts";
import { importedPackages } from "../../languages/python/uses.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import type { TestUses } from "../../languages/test-uses.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";

/** What a test file uses; null for a language whose tests we cannot read. `foreign`: packages that are not the project's. */
export async function readUses(
  parsers: SyntaxParsers,
  file: SourceFile,
  foreign: ReadonlySet<string>,
): Promise<TestUses | null> {
  const grammar = grammarOf(file.path);
  if (grammar === null) return null;
  const { root } = await parsers.parse(grammar, file.content);
  return TEST_SYNTAX[grammar].uses(file.content, root, foreign);
}

/** Packages that Python files import by name: whether they are the project's is for the caller to find out. */
export async function packagesOf(parsers: SyntaxParsers, files: SourceFile[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { path, content } of files) {
    if (grammarOf(path) !== "python") continue;
    const { root } = await parsers.parse("python", content);
    for (const name of importedPackages(content, root)) found.add(name);
  }
  return [...found].sort();
}
