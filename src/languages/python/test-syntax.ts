import { alterLiterals } from "../alter-literal.ts";
import { decoyEdits } from "../decoy.ts";
import type { TestSyntax } from "../test-syntax.ts";
import { pytestTests } from "./pytest-tests.ts";
import { missingPython, pythonStub } from "./stubs.ts";
import { pythonTwin, pythonTwinSupport } from "./twin.ts";
import { pythonUses } from "./uses.ts";

/** Files of pytest. */
export const PYTHON_TESTS: TestSyntax = {
  tests: pytestTests,
  alterExpectations: alterLiterals,
  uses: pythonUses,
  missing: missingPython,
  stub: pythonStub,
  testName: (word) => `test_${word}`,
  rename: (_, { label }, as) => [{ from: label.from, to: label.to, text: as }],
  renamedCase: (_, __, as) => as,
  disguisedPath: (path, word) => `${path.slice(0, path.lastIndexOf("/") + 1)}test_${word}.py`,
  twin: pythonTwin,
  twinSupport: pythonTwinSupport,
  canary: (_, __, as, mark) => `\n\ndef ${as}():\n    assert 0 == 1, "${mark}"\n`,
  decoy: (text, root, test, word) => decoyEdits(test, text, root, word, /^self\.assertEquals?$/),
};
