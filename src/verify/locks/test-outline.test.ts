import fc from "fast-check";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { outlineTests } from "./test-outline.ts";

const parsers = new SyntaxParsers();
const python = (text: string) => outlineTests("test_a.py", text, parsers);
const script = (text: string) => outlineTests("a.test.js", text, parsers);
const inPython = async (body: string) =>
  (await python(`from m import f\ndef test_a(x):\n    ${body.replaceAll("\n", "\n    ")}\n`))[0];
const inScript = async (body: string) =>
  (await script(`import assert from "node:assert";\ntest("a", async (t) => {${body}});`))[0];

test("finds tests by the names that reports give them", async () => {
  const names = (found: { name: string }[]) => found.map(({ name }) => name);
  const text = "def helper(): pass\nclass TestA:\n    @mark\n    def test_b(self): pass\nasync def test_c(): pass\n";
  expect(names(await python(text))).toEqual(["TestA::test_b", "test_c"]);
  const js = `describe("a", () => { it.each([1])("b %s", () => {}); test.skip(\`c\`); });
    suite("d", () => { test("it's", { skip: true }, async (t) => { await t.test("sub", () => {}); }); }); test.beforeEach(() => {});`;
  expect(names(await script(js))).toEqual(["a > b %s", "a > c", "d > it's", "d > it's > sub"]);
});

test.each([
  "assert f(x) == 3",
  "with pytest.raises(ValueError):\n    f(x)",
  "self.assertEqual(f(x), 3)",
  "mock.assert_called_once_with(x)",
  "y = f(x)\nassert y",
  "if f(x) != 3:\n    raise AssertionError",
  "try:\n    f(x)\nexcept ValueError:\n    pass\nelse:\n    pytest.fail('no')",
  "y = 1\ny = f(x)\nassert y == 1",
])("%j can fail", async (body) => {
  expect(await inPython(body)).toMatchObject({ strength: "asserts" });
});

test.each([
  ["pass", "empty"],
  ['"""doc"""', "empty"],
  ["...", "empty"],
  ["print('ok')", "empty"],
  ["return\nassert f(x) == 3", "empty"],
  ["f(x)", "silent"],
  ["try:\n    assert f(x) == 3\nexcept Exception:\n    pass", "constant"],
  ["try:\n    assert f(x) == 3\nexcept:\n    pass", "constant"],
  ["if False:\n    assert f(x) == 3", "empty"],
  ["assert True", "constant"],
  ["f(x)\nassert True", "constant"],
  ["assert 1 + 1 == 2", "constant"],
  ["y = 3\nassert y == 3", "constant"],
  ["y = 0\nfor one in f(x):\n    y += 1\nassert y == 3", "asserts"],
  ["y = False\ndef called():\n    nonlocal y\n    y = True\nf(called)\nassert y is True", "asserts"],
  ["seen = []\nf(seen.append)\nassert seen == [3]", "asserts"],
  ["assert f(x) == f(x)", "asserts"],
  ["y = f(x)\nassert y == y", "constant"],
  ["assert (f(x) == 3, 'why')", "constant"],
  ["assert f(x) == 3 or True", "constant"],
  ["self.assertTrue(True)", "constant"],
  ["self.assertEqual(x, x)", "constant"],
])("%j is %s", async (body, strength) => {
  expect(await inPython(body)).toMatchObject({ strength });
});

test.each([
  ["assert.equal(f(1), 2)", "asserts"],
  ["expect(f(1)).not.toBe(2)", "asserts"],
  ["await expect(f(1)).resolves.toEqual({})", "asserts"],
  ["assert.throws(() => f(1))", "asserts"],
  ["if (f(1) !== 2) throw new Error()", "asserts"],
  ["t.assert.equal(f(1), 2)", "asserts"],
  ["", "empty"],
  ["expect(true).toBe(true)", "constant"],
  ["assert.ok(true)", "constant"],
  ["const x = f(1); expect(x).toBe(x)", "constant"],
  ["let n = 0; f(() => { n++; }); expect(n).toBe(1)", "asserts"],
  ["let was = false; f(() => { was = true; }); assert.equal(was, true)", "asserts"],
  ["const all = []; f((one) => all.push(one)); assert.deepEqual(all, [1])", "asserts"],
  ["const x = f(1); expect(x.roll).toBe(x.roll)", "asserts"],
  ["f(1)", "silent"],
  ["expect(f(1))", "silent"],
  ["try { assert.equal(f(1), 2) } catch {}", "constant"],
  ["return; assert.equal(f(1), 2)", "empty"],
])("script %j is %s", async (body, strength) => {
  expect(await inScript(body)).toMatchObject({ strength });
});

test("names that come from a module of assertions count", async () => {
  const [one] = await script('import { equal } from "node:assert/strict";\ntest("a", () => equal(f(1), 2));');
  expect(one).toMatchObject({ strength: "asserts", exact: 1 });
});

test("a claim of the very value says more than one of its presence", async () => {
  expect(await inPython("assert f(x) == 3")).toMatchObject({ assertions: 1, exact: 1 });
  expect(await inPython("assert f(x) is not None")).toMatchObject({ assertions: 1, exact: 0 });
  expect(await inPython("with pytest.raises(Exception):\n    f(x)")).toMatchObject({ assertions: 1, exact: 0 });
  expect(await inScript("expect(f(1)).toBe(3)")).toMatchObject({ exact: 1 });
  expect(await inScript("expect(f(1)).toBeDefined()")).toMatchObject({ exact: 0 });
});

test("layout and comments are no part of a test's words", async () => {
  const a = await inPython("assert f(x)==3  # why");
  const b = await inPython("assert f( x ) == 3");
  expect(a?.words).toBe(b?.words);
  expect(a?.words).not.toBe((await inPython("assert f(x) == 4"))?.words);
});

test("never throws, whatever the text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      await python(`def test_a():\n  ${text}`);
      await script(`test("a", () => {${text}`);
    }),
    { numRuns: 50 },
  );
});

test("helpers of the file and methods of its class are followed", async () => {
  const text = `import unittest

def same(value):
    assert f(value) == 3

def test_function():
    same(1)

class TestX(unittest.TestCase):
    def check(self, value):
        self.assertEqual(f(value), 3)

    def test_method(self):
        self.check(1)
`;
  const found = await outlineTests("test_x.py", text, parsers);
  expect(found.map(({ name, strength }) => [name, strength])).toEqual([
    ["test_function", "asserts"],
    ["TestX::test_method", "asserts"],
  ]);
});
