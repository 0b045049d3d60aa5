import { expect, test } from "vitest";
import { looserThan } from "./looser-test.ts";

test.each([
  ["a wider tolerance", "area(2) == approx(12.56, abs=1e-6)", "area(2) == approx(12.56, abs=0.5)"],
  ["fewer digits", "expect(area(2)).toBeCloseTo(12.56, 5)", "expect(area(2)).toBeCloseTo(12.56, 1)"],
  [
    "skipped where something is set",
    "def test(): f()",
    '@pytest.mark.skipif("CI" in os.environ, reason="slow")\ndef test(): f()',
  ],
  ["skipped by an option", 'test("a", () => {})', 'test("a", { skip: process.env.CI }, () => {})'],
  ["left early", "assert f() == 1", 'if os.environ.get("CI"): return\nassert f() == 1'],
  ["any arguments", 'm.send.assert_called_once_with("a")', "m.send.assert_called_once()"],
  ["any arguments of a spy", 'expect(send).toHaveBeenCalledWith("a")', "expect(send).toHaveBeenCalled()"],
  ["any words", 'with pytest.raises(ValueError, match="negative"): f()', "with pytest.raises(ValueError): f()"],
  ["any error", "with pytest.raises(ValueError): f()", "with pytest.raises(Exception): f()"],
  ["any error of a script", "assert.throws(() => f(-1), /negative/)", "assert.throws(() => f(-1))"],
  ["any words of a script", 'expect(() => f()).toThrow("negative")', "expect(() => f()).toThrow()"],
])("a test lets more pass: %s", (_, was, is) => {
  expect(looserThan(was, is)).not.toBeNull();
  expect(looserThan(is, was)).toBeNull();
  expect(looserThan(was, was)).toBeNull();
});

test.each([
  ["another value", "assert f(1) == 2", "assert f(2) == 3"],
  ["one assertion more", "assert f(1) == 2", "assert f(1) == 2\nassert f(2) == 3"],
  ["words in a text", 'assert f("a")', 'assert f("pytest.skip os.environ")'],
  ["the same in the words of another runner", 'assertRaisesRegex(E, "a")', 'raises(E, match="a")'],
])("a test is no looser: %s", (_, was, is) => expect(looserThan(was, is)).toBeNull());
