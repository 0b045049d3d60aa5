import type { SourceFile } from "../../languages/language.ts";
import { type BaseTree, type Missing, mergeMissing, type StubKind } from "../../languages/stub.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import { readUses } from "../held-out/read-uses.ts";

/** What a test file needs and the base tree does not have; empty when it tests something that exists. */
export async function findMissing(
  parsers: SyntaxParsers,
  file: SourceFile,
  base: BaseTree,
  foreign: ReadonlySet<string>,
): Promise<Missing[]> {
  const uses = await readUses(parsers, file, foreign);
  const grammar = grammarOf(file.path);
  if (!uses || grammar === null) return [];
  return mergeMissing(await TEST_SYNTAX[grammar].missing(file, uses, base, parsers));
}

/** Files to lay over the base tree, so that every name the tests import is there. */
export function stubFiles(missing: Missing[], kind: StubKind, base: BaseTree): SourceFile[] {
  return mergeMissing(missing).flatMap((one) => {
    const grammar = grammarOf(one.path);
    return grammar === null ? [] : [{ path: one.path, content: TEST_SYNTAX[grammar].stub(one, kind, base) }];
  });
}
