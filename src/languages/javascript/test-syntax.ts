import { alterLiterals } from "../alter-literal.ts";
import { decoyEdits } from "../decoy.ts";
import type { TestSyntax } from "../test-syntax.ts";
import { javascriptStub, missingJavaScript } from "./stubs.ts";
import { scriptTests } from "./test-calls.ts";
import { javascriptTwin, javascriptTwinSupport } from "./twin.ts";
import { javascriptUses, testCalls } from "./uses.ts";

/** Files of node:test, Vitest and runners like them, in JavaScript and TypeScript. */
export const JAVASCRIPT_TESTS: TestSyntax = {
  tests: scriptTests,
  alterExpectations: alterLiterals,
  uses: javascriptUses,
  missing: async (file, uses, base) => missingJavaScript(file, uses, base),
  stub: javascriptStub,
  testName: (word) => `t${word}`,
  disguisedPath(path, word) {
    const ending = /((\.|-|_)(test|spec))?\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? "";
    return `${path.slice(0, path.lastIndexOf("/") + 1)}t${word}${ending}`;
  },
  twin: javascriptTwin,
  twinSupport: javascriptTwinSupport,
  decoy: (text, root, name, word) =>
    decoyEdits(
      testCalls(text, root).filter((test) => test.name === name),
      text,
      root,
      word,
    ),
};
