import { expect, test } from "vitest";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { replaceAll } from "../../syntax/nodes.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";

const parsers = new SyntaxParsers();
const WORD = "3fa1b2c4d5e6";

/** What becomes of a test; null where it has no decoy. */
async function decoy(grammar: "python" | "javascript", text: string): Promise<string | null> {
  const { root } = await parsers.parse(grammar, text);
  const [found] = TEST_SYNTAX[grammar].tests(text, root);
  const edits = found ? TEST_SYNTAX[grammar].decoy(text, root, found, WORD) : null;
  return edits && replaceAll(text, edits);
}
const python = (body: string) => decoy("python", `def test_it():\n    ${body}\n`);
const javascript = (body: string) =>
  decoy("javascript", `import assert from "node:assert";\ntest("it", () => { ${body} });\n`);

test.each([
  ["assert f(1) == 42", /f\(1\) == \d{3}$/],
  ["assert 42 == f(1)", /\d{3} == f\(1\)$/],
  ["assert f(1) == -4.5", /== -\d\d\.5$/],
  ['assert f(1) == "one-two"', /== "one-tw[a-np-z]"$/],
  ['assert f(1) == "12 words\\n"', /== "\d{3} words\\n"$/],
  ['assert f(1) == ""', /== "[a-p]{4}"$/],
  ["assert f(1) == True", /== False$/],
  ["assert f(1) == []", /== \[\d+\]$/],
  ["assert f(1) == {'a': [None, 3]}", /== \{'a': \[None, \d\d\]\}$/],
  ["assert f(1) == pytest.approx(0.3)", /approx\(\d\d\.3\)$/],
  ["want = {'a': 1}\n    assert f(1) == want", /want = \{'a': \d\d\}\n {4}assert f\(1\) == want$/],
  ["for a, want in [(1, 2), (3, 4)]:\n        assert f(a) == want", /\[\(1, \d\d\), \(3, \d\d\)\]/],
  ["self.assertEqual(f(1), 42)", /f\(1\), \d{3}\)$/],
])("a Python test with %j expects another value, and is the same in everything else", async (body, expected) => {
  const made = (await python(body))?.trim();
  expect(made).toMatch(expected);
  expect(made).not.toContain(body);
});

test("the cases of a table expect another value each, also in a table with a name", async () => {
  const table = (cases: string) =>
    `@pytest.mark.parametrize(("a", "want"), ${cases})\ndef test_it(a, want):\n    assert f(a) == want\n`;
  expect(await decoy("python", table('[(1, 2), pytest.param(3, 4, id="x")]'))).toMatch(
    /\[\(1, \d\d\), pytest\.param\(3, \d\d, id="x"\)\]/,
  );
  expect(await decoy("python", `CASES = [("a", "b")]\n\n${table("CASES")}`)).toMatch(/CASES = \[\("a", "[^b]"\)\]/);
  expect(await decoy("python", table("[(1, 2), (3, g())]"))).toBeNull();
});

test.each([
  "assert f(1)",
  "assert f(1) == f(2)",
  "assert f(1) == None",
  "assert f(1) != 3",
  "assert f(1) in (1, 2)",
  "assert 1 == 1",
  "if g():\n        assert f(1) == 2",
  "for a in g():\n        assert f(a) == 2",
  "with pytest.raises(AssertionError):\n        assert f(1) == 2",
  "want = 3\n    assert f(want) == want",
])("a Python test with %j has no decoy: it might pass for honest code", async (body) => {
  expect(await python(body)).toBeNull();
});

test.each([
  ["assert.equal(f(1), 42);", /f\(1\), \d{3}\)/],
  ["assert.deepEqual(f(1), { a: [1, 'x'], b: true });", /\{ a: \[\d\d, 'x'\], b: true \}/],
  ["expect(f(1)).toBe(true);", /toBe\(false\)/],
  ["const want = 'ab'; assert.strictEqual(f(1), want);", /want = 'a[^b]'; assert\.strictEqual\(f\(1\), want\)/],
  ["for (const [a, want] of [[1, 2], [3, 4]]) { assert.equal(f(a), want); }", /\[\[1, \d\d\], \[3, \d\d\]\]/],
])("a JavaScript test with %j expects another value", async (body, expected) => {
  expect(await javascript(body)).toMatch(expected);
});

test.each([
  "assert.ok(f(1));",
  "assert.equal(f(1), f(2));",
  "expect(f(1)).not.toBe(3);",
  "assert.equal(f(1), undefined);",
  "if (g()) assert.equal(f(1), 2);",
  "g(() => assert.equal(f(1), 2));",
])("a JavaScript test with %j has no decoy", async (body) => {
  expect(await javascript(body)).toBeNull();
});
