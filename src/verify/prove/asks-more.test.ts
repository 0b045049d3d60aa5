import { expect, test } from "vitest";
import { asksMore } from "./asks-more.ts";

const words = (text: string) => (text.match(/"[^"]*"|[\w$]+|[=!<>]=+|=>|[^\s\w]/g) ?? []).join(" ");
const more = (was: string, is: string) => asksMore(words(was), words(is));

test.each([
  ["between", "x = f()\nassert x == 1\nassert g(x) == 2", "x = f()\nassert x == 1\nassert x > 0\nassert g(x) == 2"],
  ["at the end", "assert f(1) == 2", "assert f(1) == 2\nassert f(2) == 3"],
  ["a method", "self.assertEqual(f(1), 2)", "self.assertEqual(f(1), 2)\nself.assertTrue(g(1))"],
  ["a script", "expect(f(1)).toBe(2);", "expect(f(1)).toBe(2); expect(f(2)).toBe(3);"],
])("one assertion more is no less: %s", (_, was, is) => {
  expect(more(was, is)).toBe(true);
  expect(more(is, was)).toBe(false);
  expect(more(was, was)).toBe(false);
});

test.each([
  ["another value", "assert f(1) == 2", "assert f(1) == 3\nassert f(2) == 3"],
  ["left early", "assert f(1) == 2\nassert f(2) == 3", "assert f(1) == 2\nassert f(3)\nreturn\nassert f(2) == 3"],
  ["something set", "assert f(1) == 2\nassert f(2) == 3", "assert f(1) == 2\nassert f(3)\ng = 1\nassert f(2) == 3"],
  ["something patched", "assert f(1) == 2\nassert a", "assert f(1) == 2\nassert setattr(m, n, 1) is None\nassert a"],
  ["set up otherwise", "x = f()\nassert x", "x = g()\nassert x\nassert y"],
  ["before the first", "assert f(1) == 2", "assert stub() == 1\nassert f(1) == 2"],
])("what may say less is asked: %s", (_, was, is) => expect(more(was, is)).toBe(false));
