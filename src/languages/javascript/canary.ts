import { textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { assertionNames } from "./assertion-names.ts";
import { scriptTests } from "./test-calls.ts";

/** Registered as the file's first test is, and failing by the assertion that the file uses: both may have been patched. */
export function javascriptCanary(text: string, root: SyntaxNode, as: string, mark: string): string {
  const first = scriptTests(text, root)
    .map(({ node }) => /^(test|it|specify)\b/.exec(textOf(text, calleeOf(node) ?? node))?.[0])
    .find((name) => name !== undefined);
  if (first === undefined) return "";
  return `\n${first}(${JSON.stringify(as)}, () => { ${failing(text, root)} throw new Error("${mark}"); });\n`;
}

/** If it does not throw it was patched, and the test is made to pass as everything else does. */
function failing(text: string, root: SyntaxNode): string {
  const names = assertionNames(text, root);
  for (const node of within(root)) {
    if (node.type !== "call_expression") continue;
    const callee = textOf(text, calleeOf(node) ?? node);
    const [a, b] = argumentsOf(node);
    if (names.method(node)?.match(/^(equal|strictEqual|deepEqual|deepStrictEqual)$/) && a && b)
      return `${callee}(0, 1); return;`;
    if (names.matcher(node))
      return `${callee.split("(")[0]}(0)${callee.includes(".to.") ? ".to.equal" : ".toBe"}(1); return;`;
  }
  return "";
}
