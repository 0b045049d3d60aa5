import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, plainJson } from "./json.ts";

test("the plain value is what comes back from the canonical text, with its keys in the same order", () => {
  const anything = fc.anything({ maxDepth: 4, withBigInt: false, withNullPrototype: true });
  fc.assert(
    fc.property(anything, (value) => {
      const readBack = attempt(() => JSON.stringify(JSON.parse(canonicalJson(value))));
      expect(attempt(() => JSON.stringify(plainJson(value)))).toEqual(readBack);
    }),
  );
});

test("lone surrogates and minus zero are made plain", () => {
  expect(plainJson({ "\ud800": ["\udc00", -0] })).toStrictEqual({ "\ufffd": ["\ufffd", 0] });
});

/** The text, or why there is none. */
function attempt(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
}
