import { fieldOf, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { alterLiterals } from "../alter-literal.ts";
import { decoyEdits } from "../decoy.ts";
import type { TestNode, TestSyntax } from "../test-syntax.ts";
import { missingPython, pythonStub } from "./stubs.ts";
import { pythonTwin, pythonTwinSupport } from "./twin.ts";
import { pythonUses, testsOf } from "./uses.ts";

/** Files of pytest. */
export const PYTHON_TESTS: TestSyntax = {
  tests: collected,
  alterExpectations: alterLiterals,
  uses: pythonUses,
  missing: missingPython,
  stub: pythonStub,
  testName: (word) => `test_${word}`,
  disguisedPath: (path, word) => `${path.slice(0, path.lastIndexOf("/") + 1)}test_${word}.py`,
  twin: pythonTwin,
  twinSupport: pythonTwinSupport,
  decoy: (text, root, name, word) =>
    decoyEdits(
      testsOf(text, root).filter((test) => test.name === name),
      text,
      root,
      word,
    ),
};

/** As pytest collects them: functions `test*`, and methods `test*` of classes. */
function collected(text: string, block: SyntaxNode, prefix = ""): TestNode[] {
  return block.children.flatMap((child): TestNode[] => {
    const definition = child.type === "decorated_definition" ? fieldOf(child, "definition") : child;
    const name = definition && fieldOf(definition, "name");
    const body = definition && fieldOf(definition, "body");
    if (!definition || !name || !body) return [];
    const own = textOf(text, name);
    if (definition.type === "class_definition") return collected(text, body, `${prefix}${own}::`);
    if (definition.type !== "function_definition" || !own.startsWith("test")) return [];
    return [{ name: prefix + own, node: child, body }];
  });
}
