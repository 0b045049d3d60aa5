import { within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { alterLiterals } from "../alter-literal.ts";
import { decoyEdits } from "../decoy.ts";
import type { TestSyntax } from "../test-syntax.ts";
import { assertionNames } from "./assertion-names.ts";
import { javascriptCanary } from "./canary.ts";
import { javascriptStub, missingJavaScript } from "./stubs.ts";
import { ownTitle, scriptTests } from "./test-calls.ts";
import { javascriptTwin, javascriptTwinSupport } from "./twin.ts";
import { javascriptUses } from "./uses.ts";

/** Files of node:test, Vitest and runners like them, in JavaScript and TypeScript. */
export const JAVASCRIPT_TESTS: TestSyntax = {
  tests: scriptTests,
  alterExpectations: alterLiterals,
  uses: javascriptUses,
  missing: async (file, uses, base) => missingJavaScript(file, uses, base),
  stub: javascriptStub,
  testName: (word) => `t${word}`,
  rename: (_, { label, named }, as) =>
    named
      ? [{ from: label.from + 1, to: label.from + 1, text: `${as} ` }]
      : [{ from: label.from, to: label.to, text: JSON.stringify(as) }],
  renamedCase: (test, name, as) => (test.named ? `${as} ${ownTitle(test, name)}` : as),
  disguisedPath(path, word) {
    const ending = /((\.|-|_)(test|spec))?\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? "";
    return `${path.slice(0, path.lastIndexOf("/") + 1)}t${word}${ending}`;
  },
  twin: (text, root, test, _, mark) => javascriptTwin(text, root, test, mark),
  twinSupport: javascriptTwinSupport,
  canary: javascriptCanary,
  decoy: (text, root, test, word) => decoyEdits(test, text, root, word, isExact(text, root)),
  assertions(text, root) {
    const names = assertionNames(text, root);
    return [...within(root)].filter(
      (node) => node.type === "call_expression" && (names.method(node) !== null || names.matcher(node) !== null),
    );
  },
};

const EXACT = /^(equal|strictEqual|deepEqual|deepStrictEqual|eql|toBe|toEqual|toStrictEqual)$/;

function isExact(text: string, root: SyntaxNode): (call: SyntaxNode) => boolean {
  const names = assertionNames(text, root);
  return (call) => {
    const matcher = names.matcher(call);
    const name = matcher ? (matcher.negated ? null : matcher.name) : names.method(call);
    return name !== null && EXACT.test(name);
  };
}
