import type { Replacement } from "../syntax/nodes.ts";
import type { SyntaxNode, SyntaxParsers } from "../syntax/parse.ts";
import type { SourceFile } from "./language.ts";
import type { BaseTree, Missing, StubKind } from "./stub.ts";
import type { TestUses } from "./test-uses.ts";
import type { TwinEdits } from "./twin-edits.ts";

/** A test where it stands: all of it, and what it does. */
export interface TestNode {
  /** As reports name it: `TestTotal::test_sum`, `total > sums`, `TestSum`. */
  name: string;
  node: SyntaxNode;
  body: SyntaxNode | null;
  /** What gives it its name. */
  label: SyntaxNode;
  /** The names of its cases, with their groups and without, where they are put together when it runs. */
  named?: { full: RegExp; own: RegExp };
}

/**
 * What the verifier does with the tests of a language, on their syntax trees: reads them, makes twins and decoys of
 * them, and stubs of what they test. One in each language's folder. Texts may be broken or hostile: nothing throws.
 */
export interface TestSyntax {
  tests(text: string, root: SyntaxNode): TestNode[];
  /** The values that exact assertions of this test write out become others. */
  alterExpectations(text: string, test: SyntaxNode): Replacement[];

  /** What a test file takes from the project. `foreign`: packages that are not the project's. */
  uses(text: string, root: SyntaxNode, foreign: ReadonlySet<string>): TestUses;
  /** What a file of tests needs and the base tree lacks. */
  missing(file: SourceFile, uses: TestUses, base: BaseTree, parsers: SyntaxParsers): Promise<Missing[]>;
  /** A module with what is missing, so that tests of it can be run before it is written. */
  stub(missing: Missing, kind: StubKind, base: BaseTree): string;

  /** Another name for a test, that nobody could know: of a random word. */
  testName(word: string, test: TestNode): string;
  /** Edits that give a test this name. */
  rename(text: string, test: TestNode, as: string): Replacement[];
  /** The name of a case after that. */
  renamedCase(test: TestNode, name: string, as: string): string;
  /** In the same directory and with the same ending, so that the runner finds it and its imports hold. */
  disguisedPath(path: string, word: string): string;
  /** The test turned round; `as` is its new name, `mark` keeps our names apart from the file's own. Null: it cannot be. */
  twin(text: string, root: SyntaxNode, test: TestNode, as: string, mark: string): TwinEdits | null;
  /** What twins need at the end of their file. */
  twinSupport(mark: string): string;
  /** A test of this name that must fail whatever is tested, with the file's own means; empty where it cannot be added. */
  canary(text: string, root: SyntaxNode, as: string, mark: string): string;
  /** The test with another expected value; null where none is written out in an assertion that surely runs. */
  decoy(text: string, root: SyntaxNode, test: TestNode, word: string): Replacement[] | null;
  /** Assertions with all that they are given; where reports of the language tell no more than the line of an exception. */
  assertions?(text: string, root: SyntaxNode): SyntaxNode[];
}
