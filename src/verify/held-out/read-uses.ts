import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { javascriptUses } from "./javascript-uses.ts";
import { importedPackages, pythonUses } from "./python-uses.ts";
import type { TestUses } from "./test-uses.ts";

export interface SourceText {
  path: string;
  content: string;
}

/** What a test file uses; null for a language whose tests we cannot read. `foreign`: packages that are not the project's. */
export async function readUses(
  parsers: SyntaxParsers,
  file: SourceText,
  foreign: Set<string>,
): Promise<TestUses | null> {
  const grammar = grammarOf(file.path);
  if (grammar === null || grammar === "go") return null;
  const { root } = await parsers.parse(grammar, file.content);
  return grammar === "python" ? pythonUses(file.content, root, foreign) : javascriptUses(file.content, root);
}

/** Packages that Python files import by name: whether they are the project's is for the caller to find out. */
export async function packagesOf(parsers: SyntaxParsers, files: SourceText[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { path, content } of files) {
    if (grammarOf(path) !== "python") continue;
    const { root } = await parsers.parse("python", content);
    for (const name of importedPackages(content, root)) found.add(name);
  }
  return [...found].sort();
}
