import { expect, test } from "vitest";
import { splitGoTests } from "./split-go-tests.ts";
import { splitTests } from "./split-tests.ts";

const method = (name: string) => `    def test_${name}(self):\n        self.assertEqual(${name}(), 1)\n`;
const PYTHON = (names: string[]) =>
  `import unittest\n\nfrom work import ${names.join(", ")}\n\n\ndef helper():\n    return 1\n\n\nclass WorkTest(unittest.TestCase):\n${names.map(method).join("\n")}`;

test("each test of a class is in exactly one part, and every part keeps imports and helpers", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
  const split = await splitTests({ path: "work_test.py", content: PYTHON(names) });
  const parts = [split?.seen, split?.heldOut, split?.spare].flatMap((part) => part ?? []);
  for (const { content } of parts) expect(content).toContain("def helper()");
  const held = parts.map(({ content }) => names.filter((name) => content.includes(`def test_${name}(`)));
  expect(held.flat().sort()).toEqual(names);
  expect(split?.heldOut.path).toBe("work_unseen_test.py");
  expect(split?.groups.flatMap((group) => [...group.seen, ...group.heldOut, ...group.spare]).sort()).toEqual(
    names.map((name) => `test_${name}`),
  );
});

test("a skipped test of Python is in no part", async () => {
  const content = PYTHON(["a", "b", "c", "d"]).replace("    def test_c", '    @unittest.skip("slow")\n    def test_c');
  const split = await splitTests({ path: "work_test.py", content });
  expect(`${split?.seen.content}${split?.heldOut.content}`).not.toContain("test_c");
});

test("skips of learners are taken away, with their imports, and a group that lost its tests goes", async () => {
  const content = `import { describe, expect, test, xtest } from '@jest/globals';
import { f } from './work';

describe('first', () => {
  test('one', () => {
    expect(f(1)).toBe(1);
  });

  xtest("it's two", () => {
    expect(f(2)).toBe(2);
  });
});

xdescribe('second', () => {
  xtest('three', () => {
    expect(f(3)).toBe(3);
  });
});
`;
  const split = await splitTests({ path: "work.spec.js", content });
  expect(split?.groups).toEqual([{ title: "first; second", seen: ["one", "three"], heldOut: ["it's two"], spare: [] }]);
  expect(split?.seen.content).toContain("import { describe, expect, test } from '@jest/globals'");
  expect(split?.seen.content).toMatch(/\ndescribe\('second', \(\) => \{\n {2}test\('three'/);
  expect(split?.heldOut).toMatchObject({ path: "work-unseen.spec.js" });
  expect(split?.heldOut.content).not.toContain("second");
});

test("rows of a Go table are in one half each, and the second half has names of its own", async () => {
  const content = `package work

import (
	"fmt"
	"testing"
)

type testCase struct{ description, in string }

var testCases = []testCase{
	{description: "one", in: "a"},
	{description: "two", in: "b"},
	{description: "three", in: "c"},
}

func TestWork(t *testing.T) {
	for _, tc := range testCases {
		if Work(tc.in) != tc.in {
			t.Fatal(tc.description)
		}
	}
}

func BenchmarkWork(b *testing.B) {
	fmt.Println(b.N)
}
`;
  const split = await splitGoTests([{ path: "work_test.go", content }]);
  expect(split?.seen.content).toMatch(/"one"[\s\S]*"three"/);
  expect(split?.seen.content).not.toMatch(/"two"|Benchmark|fmt/);
  expect(split?.heldOut.content).toMatch(
    /var testCasesUnseen = \[\]testCaseUnseen\{\s*\{description: "two", in: "b"\},\s*\}/,
  );
  expect(split?.heldOut.content).toContain(
    "func TestWorkUnseen(t *testing.T) {\n\tfor _, tc := range testCasesUnseen {",
  );
  expect(split?.groups[0]).toMatchObject({ seen: ["TestWork"], heldOut: ["TestWorkUnseen"] });
});

test("a file with a single test cannot be split", async () => {
  expect(await splitTests({ path: "work_test.py", content: PYTHON(["a"]) })).toBeNull();
});
