import type { TestSyntax } from "../test-syntax.ts";
import { goDecoy } from "./decoy.ts";
import { goStub } from "./stub-code.ts";
import { missingGo } from "./stubs.ts";
import { goTwin } from "./twin.ts";
import { goUses, testFunctions } from "./uses.ts";

/** Any word: which value takes the place of another is of no interest. */
const WORD = "5a17c9";

/** Files of `go test`. */
export const GO_TESTS: TestSyntax = {
  tests: testFunctions,
  alterExpectations: (text, test) => goDecoy(text, test, WORD)?.slice(0, 1) ?? [],
  uses: goUses,
  missing: missingGo,
  stub: goStub,
  testName: (word, name) => `${name.startsWith("Fuzz") ? "Fuzz" : "Test"}_${word}`,
  disguisedPath: (path, word) => `${path.slice(0, path.lastIndexOf("/") + 1)}t${word}_test.go`,
  twin: goTwin,
  twinSupport: () => "",
  decoy(text, root, name, word) {
    const tests = testFunctions(text, root).filter((test) => test.name === name);
    const edits = tests.map(({ node }) => goDecoy(text, node, word));
    return edits.length > 0 && edits.every((edit) => edit !== null) ? edits.flat() : null;
  },
};
