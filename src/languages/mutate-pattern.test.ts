import fc from "fast-check";
import { expect, test } from "vitest";
import { otherPatterns } from "./mutate-pattern.ts";

test.each([
  ["a+b*c?", ["a*b*c?", "a+b+c?", "a+b*c"]],
  ["^a$", ["a$", "^a"]],
  ["\\bx\\d", ["x\\d", "\\bx\\D"]],
  ["[a-z_]", ["[a-z]", "[^a-z_]"]],
  ["[^\\]]", ["[\\]]"]],
  ["(a|b(c|d))e", ["(a)e", "(a|b(c))e"]],
  ["a{2,3}", ["a{3,}"]],
  ["(?=a)b", ["(?!a)b"]],
  ["a.b\\.c", ["a\\.b\\.c", "a.b.c"]],
])("every operator of %s becomes another one", (pattern, others) => {
  expect(otherPatterns(pattern)).toEqual(others);
});

test("whatever a pattern is, nothing throws and nothing stays as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab[]()^$|\\\\.*+?{}1,-d") }), (pattern) => {
      expect(otherPatterns(pattern)).not.toContain(pattern);
    }),
  );
});
