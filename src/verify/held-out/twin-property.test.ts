import fc from "fast-check";
import { expect, test } from "vitest";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { type Grammar, grammarOf, SyntaxParsers } from "../../syntax/parse.ts";
import { makeTwins } from "./twin.ts";

const parsers = new SyntaxParsers();

/** Bodies of tests in every style that we know of, some of them odd. */
const PYTHON_BODIES = [
  "assert f(1) == 2",
  "assert f(1) == 2, 'why'",
  "want = [1, {'a': -2.5}]\nassert f(want[0]) == want",
  "for a, want in [(1, 2), (3, 4)]:\n    assert f(a) == want",
  "for a, want in CASES:\n    assert f(a) == want",
  "with pytest.raises(ValueError, match='no'):\n    f(None)",
  "with raises(ValueError): f(None)",
  "with self.subTest(1):\n    self.assertEqual(f(1), 2)",
  "self.assertCountEqual(f(1), [1, 2])",
  "self.assertAlmostEqual(f(1), 0.5)",
  "self.assertRegex(f(1), r'^a\\d')",
  "self.assertRaises(ValueError, f, None)",
  "check(f(1), expected=2)",
  "def check(value):\n    return value\nassert check(f(1)) == 3",
  "if f(1):\n    return\nassert f(2) == 0",
  "try:\n    f(1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
  "assert f(\n    1,\n) == '''two\nlines'''",
  "assert (yes := f(1)) and yes != 3; assert f(2) in (1, 2)",
  "f(1)",
  "pass",
];
const SCRIPT_BODIES = [
  "assert.equal(f(1), 2);",
  "assert.deepEqual(f(1), { a: [1, -2], b: `x` });",
  "assert(f(1));",
  "assert.throws(() => f(null), RangeError);",
  "await assert.rejects(async () => f(1), { message: 'no' });",
  "return assert.rejects(f(1));",
  "rejects(f(1), 2);",
  "expect(f(1)).toBe(2);",
  "expect(f(1)).not.toBe(2); expect.assertions(1);",
  "await expect(f(1)).resolves.toEqual({ a: 1 });",
  "return expect(f(1)).rejects.toThrow('no');",
  "return f(1).then((value) => { expect(value).toBe(2); });",
  "expect(f(1)).to.deep.equal([1]);",
  "for (const [a, want] of CASES) assert.equal(f(a), want);",
  "[1, 2].forEach((one) => assert.equal(f(one), one));",
  "if (f(1)) return; assert.equal(f(2), 0);",
  "const check = (value) => { return value; }; assert.equal(check(f(1)), 3);",
  "await t.test('inside', () => { assert.equal(f(1), 2); });",
  "try { f(1); } catch (error) { assert.equal(error.message, 'no'); }",
  "assert.equal(...args);",
  "f(1);",
  "",
];
const TITLES = ["adds", "adds", 'it\'s "odd"', "a > b", "1::2", "`", "\\n", "ünï", "$x %s ${y}"];
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, " ".repeat(by));

const pythonFile = fc
  .array(
    fc.record({
      body: fc.constantFrom(...PYTHON_BODIES),
      group: fc.integer({ min: 0, max: 2 }),
      table: fc.boolean(),
      later: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) => {
    const test = ({ body, group, table, later }: (typeof all)[number], index: number) => {
      const mark = table ? '@pytest.mark.parametrize("n", [1, 2])\n' : "";
      const given = [...(group > 0 ? ["self"] : []), ...(table ? ["n"] : [])].join(", ");
      return `${mark}${later ? "async " : ""}def test_${index % 3}(${given}):\n${indent(body, 4)}\n`;
    };
    const groups = [0, 1, 2].map((group) => {
      const own = all.flatMap((one, index) => (one.group === group ? [test(one, index)] : [])).join("\n");
      return group === 0 || own === "" ? own : `class TestG${group}(unittest.TestCase):\n${indent(own, 4)}`;
    });
    return `import unittest\nimport pytest\nfrom pytest import raises\nfrom code import f\n\nCASES = [(1, 2), (3, 4)]\n\n${groups.join("\n\n")}\n`;
  });

const scriptFile = fc
  .array(
    fc.record({
      body: fc.constantFrom(...SCRIPT_BODIES),
      title: fc.constantFrom(...TITLES),
      group: fc.integer({ min: 0, max: 2 }),
      form: fc.constantFrom("arrow", "function", "done", "expression", "value", "each", "options"),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) => {
    const test = ({ body, title, form }: (typeof all)[number]) => {
      const name = JSON.stringify(title);
      const block = `{ ${body} }`;
      if (form === "function") return `it(${name}, async function (t) ${block});`;
      if (form === "done")
        return `it(${name}, (done) => { setTimeout(() => { ${body.replaceAll("await ", "")} done(); }); });`;
      if (form === "expression") return `test(${name}, () => assert.equal(f(1), 2));`;
      if (form === "value") return `test(${name}, made(async () => ${block}), 500);`;
      if (form === "each") return `test.each([[1, 2]])(${name}, async (a, b) => ${block});`;
      if (form === "options") return `test(${name}, { timeout: 9 }, async (t) => ${block});`;
      return `test(${name}, async (t) => ${block});`;
    };
    const groups = [0, 1, 2].map((group) => {
      const own = all
        .filter((one) => one.group === group)
        .map(test)
        .join("\n");
      return group === 0 ? own : `describe("group ${group}", () => {\n${own}\n});`;
    });
    return `import assert from "node:assert";\nimport { describe, it, test } from "node:test";\nimport { f } from "./code.js";\n\nconst CASES = [[1, 2]];\nasync function rejects(value) { return value; }\n${groups.join("\n")}\n`;
  });

async function holds(path: string, content: string, chosen: (index: number) => boolean): Promise<void> {
  const grammar: Grammar | null = grammarOf(path);
  if (grammar === null) throw new Error("no grammar");
  const { root, broken } = await parsers.parse(grammar, content);
  if (broken) return;
  const all = TEST_SYNTAX[grammar].tests(content, root);
  const covered = all.filter((one, index) => chosen(index) || all.filter(({ name }) => name === one.name).length > 1);
  const covers = covered.map(({ name }) => ({ test: name, requirement: "R1" }));
  const made = await makeTwins(parsers, [{ path, content, todo: "x", heldOut: true, covers }], "seed");
  expect(made.without).toEqual([]);
  const names = new Set(covers.map((one) => one.test));
  expect(new Set(made.pairs.map(({ of }) => of.test))).toEqual(names);
  for (const file of [...made.originals, ...made.twins, ...made.decoys])
    expect((await parsers.parse(grammar, file.content)).broken).toBe(false);
  // Nothing but the names of these tests is another, and what stands between them is as it was.
  const [original] = made.originals;
  const between = (from: number, to: number) => content.slice(from, to);
  let at = 0;
  for (const { label } of covered.toSorted((a, b) => a.label.from - b.label.from)) {
    expect(original?.content).toContain(between(at, label.from));
    at = label.to;
  }
  if (covered.length > 0) expect(original?.content.endsWith(between(at, content.length))).toBe(true);
  const others = all.filter((one) => !covered.some(({ node }) => node.from < one.node.to && one.node.from < node.to));
  for (const file of [...made.twins, ...made.decoys])
    for (const { node } of others) expect(file.content).toContain(between(node.from, node.to));
}

test("every test of any style has a twin, and nothing else is touched: Python", async () => {
  await fc.assert(
    fc.asyncProperty(pythonFile, fc.nat({ max: 31 }), (content, some) =>
      holds("tests/test_x.py", content, (index) => (some & (1 << index)) > 0),
    ),
    { numRuns: 150 },
  );
});

test("every test of any style has a twin, and nothing else is touched: JavaScript and TypeScript", async () => {
  await fc.assert(
    fc.asyncProperty(scriptFile, fc.nat({ max: 31 }), fc.constantFrom("js", "ts"), (content, some, ending) =>
      holds(`test/x.test.${ending}`, content, (index) => (some & (1 << index)) > 0),
    ),
    { numRuns: 200 },
  );
});

test("hostile text never makes it throw", async () => {
  const noise = fc
    .oneof(pythonFile, scriptFile, fc.string())
    .chain((text) =>
      fc
        .tuple(fc.nat({ max: text.length }), fc.nat({ max: text.length }))
        .map(([a, b]) => text.slice(0, a) + text.slice(b)),
    );
  await fc.assert(
    fc.asyncProperty(noise, fc.constantFrom("py", "js", "ts", "go"), async (content, ending) => {
      const covers = ["test_0", "adds", "group 1 > adds", "TestG1::test_1", ""].map((name) => ({
        test: name,
        requirement: "R1",
      }));
      const made = await makeTwins(parsers, [{ path: `x_test.${ending}`, content, todo: "x", covers }], "seed");
      expect(new Set([...made.pairs.map(({ of }) => of.test), ...made.without.map((one) => one.test)]).size).toBe(5);
    }),
    { numRuns: 200 },
  );
});
