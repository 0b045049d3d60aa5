import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { readUses, type SourceText } from "../held-out/read-uses.ts";
import { javascriptStub, missingJavaScript } from "./javascript-stubs.ts";
import { missingPython, pythonStub } from "./python-stubs.ts";
import { type BaseTree, type Missing, mergeMissing, type StubKind } from "./stub.ts";

/** What a test file needs and the base tree does not have; empty when it tests something that exists. */
export async function findMissing(
  parsers: SyntaxParsers,
  file: SourceText,
  base: BaseTree,
  foreign: Set<string>,
): Promise<Missing[]> {
  const uses = await readUses(parsers, file, foreign);
  if (!uses) return [];
  const isPython = grammarOf(file.path) === "python";
  return mergeMissing(isPython ? await missingPython(parsers, file, uses, base) : missingJavaScript(file, uses, base));
}

/** Files to lay over the base tree, so that every name the tests import is there. */
export function stubFiles(missing: Missing[], kind: StubKind, base: BaseTree): SourceText[] {
  const isModule = /"type"\s*:\s*"module"/.test(base.read("package.json") ?? "");
  return mergeMissing(missing).map((one) => ({
    path: one.path,
    content: one.path.endsWith(".py") ? pythonStub(one, kind) : javascriptStub(one, kind, isModule),
  }));
}
