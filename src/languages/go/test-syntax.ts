import type { TestSyntax } from "../test-syntax.ts";
import { importsOf } from "./declared-names.ts";
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
  testName: (word, { name }) => `${name.startsWith("Fuzz") ? "Fuzz" : "Test"}_${word}`,
  rename: (_, { label }, as) => [{ from: label.from, to: label.to, text: as }],
  renamedCase: (_, __, as) => as,
  disguisedPath: (path, word) => `${path.slice(0, path.lastIndexOf("/") + 1)}t${word}_test.go`,
  twin: (text, _, test, __, mark) => goTwin(text, test, mark),
  twinSupport: () => "",
  canary: (text, root, as, mark) =>
    importsOf(text, root).some(({ alias, path }) => alias === "testing" && path === "testing")
      ? `\nfunc ${as}(t *testing.T) { t.Fatal("${mark}") }\n`
      : "",
  decoy: (text, _, { node }, word) => goDecoy(text, node, word),
};
