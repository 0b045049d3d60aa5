import { expect, test } from "vitest";
import type { TestCase } from "../../domain/evidence/test-report.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { takeOutTests } from "./take-out-tests.ts";

const PYTHON = `from fees import fee


def test_none():
    assert fee(0) == 0


# A week is dear.
@slow
def test_week():
    assert fee(7) == 14


class TestAll:
    def test_two(self):
        assert fee(2) == 4

    def test_many(self):
        assert fee(50) == 100
`;

async function without(path: string, content: string, reported: string[], out: string[]) {
  const parsers = new SyntaxParsers();
  const all = reported.map(
    (name): TestCase => ({ id: `${path}::${name}`, file: path, name, outcome: "failed", message: "", durationMs: 0 }),
  );
  const thinned = await takeOutTests(parsers, { path, content }, all, ({ name }) => out.includes(name));
  return { content: thinned.content, out: thinned.out.map(({ name }) => name) };
}

const REPORTED = ["test_none", "test_week", "TestAll::test_two", "TestAll::test_many"];

test("a test goes with its decorators and the comment above it, and the others stay as they are", async () => {
  const week = PYTHON.slice(PYTHON.indexOf("# A week"), PYTHON.indexOf("class TestAll"));
  const many = PYTHON.slice(PYTHON.indexOf("\n    def test_many"));
  expect(await without("test_a.py", PYTHON, REPORTED, ["test_week", "TestAll::test_many"])).toEqual({
    content: PYTHON.replace(week, "").replace(many, ""),
    out: ["test_week", "TestAll::test_many"],
  });
});

test("of a test with cases all must go, or it stays", async () => {
  const cases = ["test_none", "test_week[1]", "test_week[2]"];
  expect(await without("test_a.py", PYTHON, cases, ["test_week[1]"])).toEqual({ content: PYTHON, out: [] });
  expect((await without("test_a.py", PYTHON, cases, ["test_week[1]", "test_week[2]"])).out).toEqual(cases.slice(1));
});

test("a file without a test is none, and what cannot be read stays", async () => {
  expect((await without("test_a.py", PYTHON, REPORTED, REPORTED)).content).toBeNull();
  expect(await without("test_a.py", "def test_a(:\n", ["test_a"], ["test_a"])).toMatchObject({ out: [] });
  expect(await without("a.test", "test_a", ["test_a"], ["test_a"])).toMatchObject({ out: [] });
});

test("a statement of a script goes with its semicolon", async () => {
  const script = 'test("a", () => {\n  is(1);\n});\n\ntest("b", () => {\n  is(2);\n});\n';
  expect(await without("a.test.ts", script, ["a", "b"], ["a"])).toEqual({
    content: 'test("b", () => {\n  is(2);\n});\n',
    out: ["a"],
  });
});
