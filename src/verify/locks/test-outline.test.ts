import fc from "fast-check";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { outlineFile, outlineTests } from "./test-outline.ts";

const parsers = new SyntaxParsers();
const python = (text: string) => outlineTests("test_a.py", text, parsers);
const script = (text: string) => outlineTests("a.test.js", text, parsers);
const inPython = async (body: string) =>
  (await python(`from m import f\ndef test_a(x):\n    ${body.replaceAll("\n", "\n    ")}\n`))[0];

test("finds tests by the names that reports give them", async () => {
  const names = (found: { name: string }[]) => found.map(({ name }) => name);
  const text = "def helper(): pass\nclass TestA:\n    @mark\n    def test_b(self): pass\nasync def test_c(): pass\n";
  expect(names(await python(text))).toEqual(["TestA::test_b", "test_c"]);
  const js = `describe("a", () => { it.each([1])("b %s", () => {}); test.skip(\`c\`); });
    suite("d", () => { test("it's", { skip: true }, async (t) => { await t.test("sub", () => {}); }); }); test.beforeEach(() => {});`;
  expect(names(await script(js))).toEqual(["a > b %s", "a > c", "d > it's", "d > it's > sub"]);
});

test("a test keeps its body when it gets another name, whatever the name is", async () => {
  const bodies = async (text: string) => (await script(text)).map(({ body }) => body);
  const body = "() => { assert.equal(half(4), 2); }";
  const [one, two, three] = await bodies(
    `test("halves a number", ${body}); it("half", ${body}); test(\`x\`, ${body});`,
  );
  expect(one).toBe(three);
  expect(one?.replace("test", "it")).toBe(two);
  const [a, b] = await python("def test_a():\n    assert test_a\n@mark\ndef test_b():\n    assert test_a\n");
  expect(`@ mark ${a?.body}`).toBe(b?.body);
});

test("what stands beside the tests is told apart by the names it gives", async () => {
  const { parts } = await outlineFile(
    "test_a.py",
    `"""doc"""
import os, sys as system
from cart import total, cheapest as least
a, b = 1, 2
try:
    import json
except ImportError:
    json = None
@fixture(autouse=True)
def given(): return inner
class TestA:
    size = 1
    def test_b(self): pass
print(a)
`,
    parsers,
  );
  expect(parts.map(({ names, tests }) => [names.join(), tests.join()])).toEqual([
    ["os", ""],
    ["system", ""],
    ["total", ""],
    ["least", ""],
    ["a,b", ""],
    ["json", ""],
    ["given", ""],
    ["TestA", "TestA::test_b"],
    ["", ""],
  ]);
  const js = await outlineFile(
    "a.test.js",
    `import assert, { equal as eq } from "node:assert";
const { up, half: h } = require("./lib.js");
describe("g", () => { beforeEach(() => {}); it("b", () => eq(1, 1)); });
test("t", () => {});
function check(x) { return x; }
`,
    parsers,
  );
  expect(js.parts.map(({ names, tests }) => [names.join(), tests.join()])).toEqual([
    ["eq,assert", ""],
    ["up", ""],
    ["h", ""],
    ["", "g > b"],
    ["check", ""],
  ]);
});

test("a name more from the same module, or a test more in a group, changes no other part", async () => {
  const partsOf = async (path: string, text: string) =>
    (await outlineFile(path, text, parsers)).parts.map(({ words }) => words);
  const before = await partsOf("a.py", "from m import (\n    a,\n)\nclass T:\n    x = 1\n    def test_a(self): pass\n");
  const after = await partsOf(
    "a.py",
    "from m import a, b\nclass T:\n    x = 1\n    def test_a(self): pass\n    def test_b(self): pass\n",
  );
  expect(before.filter((words) => !after.includes(words))).toEqual([]);
  const group = (tests: string) => partsOf("a.test.js", `describe("g", () => { before(() => {}); ${tests} });`);
  expect(await group('it("a", () => {});')).toEqual(await group('it("a", () => {}); it("b", () => {});'));
});

test("layout, comments and the kind of quotes are no part of a test's words", async () => {
  const a = await inPython("assert f(x)==3  # why");
  const b = await inPython("assert f( x ) == 3");
  expect(a?.words).toBe(b?.words);
  expect(a?.words).not.toBe((await inPython("assert f(x) == 4"))?.words);
  expect((await inPython("assert f(x) == 'a'"))?.words).toBe((await inPython('assert f(x) == "a"'))?.words);
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
