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
  ["anything but nothing", "assert f(1) == 2", "assert f(1) is not None"],
  ["anything in a method", "self.assertEqual(f(1), 2)", "self.assertIsNotNone(f(1))"],
  ["one of several", "assert f(1) == 2", "assert f(1) in (2, 3)"],
  ["a name that is not compared", "assert f(1) == 2", "found = f(1)\nassert found"],
  ["anything in a script", "assert.strictEqual(f({ a: 1 }), null)", "assert.ok(f({ a: 1 }) !== undefined)"],
  ["anything that is expected", "expect(f(1)).toEqual([2])", "expect(f(1)).not.toBeNull()"],
  ["any words of a script", 'expect(() => f()).toThrow("negative")', "expect(() => f()).toThrow()"],
])("a test lets more pass: %s", (_, was, is) => {
  expect(looserThan(was, is)).not.toBeNull();
  expect(looserThan(is, was)).toBeNull();
  expect(looserThan(was, was)).toBeNull();
});

test.each([
  ["another value", "assert f(1) == 2", "assert f(2) == 3"],
  ["one assertion more", "assert f(1) == 2", "assert f(1) == 2\nassert f(2) == 3"],
  ["a name for what is compared", "assert f(1) == 2", "found = f(1)\nassert found == 2\nassert g(found)"],
  ["a field of it", "assert f(1) == 2", "found = f(1)\nassert found.value == 2"],
  ["the words of another runner", "self.assertEqual(f(1), 2)", "assert f(1) == 2"],
  ["the words of another library", "assert.equal(f(1), 2)", "expect(f(1)).toBe(2)"],
  ["something else is compared", "assert f(1) == 2", "assert f(2) == 3\nassert len(g(1)) == 4"],
  ["words in a text", 'assert f("a")', 'assert f("pytest.skip os.environ")'],
  ["the same in the words of another runner", 'assertRaisesRegex(E, "a")', 'raises(E, match="a")'],
])("a test is no looser: %s", (_, was, is) => expect(looserThan(was, is)).toBeNull());
