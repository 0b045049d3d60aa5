/* Long because most of it is sample code: the same claims are made for every language, with real runs. */
import { expect, test } from "vitest";
import { SampleProject } from "../../../test/sample-project.ts";
import { withGo } from "../../../test/with-go.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { Go } from "../../languages/go/go.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import type { Language } from "../../languages/language.ts";
import { Python } from "../../languages/python/python.ts";
import { TypeScript } from "../../languages/typescript/typescript.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { judgeTwins } from "./judge-twins.ts";
import { makeTwins } from "./twin.ts";

const parsers = new SyntaxParsers();
const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const javascript = new JavaScript({ execPath: process.execPath, version: process.version });

/** Each test by its name, and what the gate makes of it on this code. */
async function verdicts(
  language: Language,
  code: Record<string, string>,
  file: Omit<TestFile, "todo">,
): Promise<Record<string, string>> {
  const { originals, twins, decoys, pairs, without } = await makeTwins(parsers, [{ ...file, todo: "x" }], "seed");
  expect(without).toEqual([]);
  const run = async (files: { path: string; content: string }[]) => {
    using project = new SampleProject({
      ...code,
      ...Object.fromEntries(files.map(({ path, content }) => [path, content])),
    });
    return await project.run(language, { files: files.map(({ path }) => path) });
  };
  const runs = { originals: await run(originals), twins: await run(twins), decoys: await run(decoys) };
  return Object.fromEntries(pairs.map((pair) => [pair.of.test, judgeTwins(pair, runs).verdict]));
}

const covers = (...names: string[]) => names.map((name) => ({ test: name, requirement: "R1" }));

const pytestFile = {
  path: "tests/test_unseen.py",
  content: `
import unittest
import pytest
from calc import add, check


def test_equal():
    assert add(40, 2) == 42
    assert add(1, 1) == 2


@pytest.mark.parametrize("a", [1, 2])
def test_cases(a):
    assert add(a, a) == 2 * a, "twice"


def test_raises():
    with pytest.raises(ValueError, match="neg") as info:
        check(
            -1)
    assert "negative" in str(info.value)


def test_raises_in_one_line():
    with pytest.raises(ValueError): check(-2)


def test_loop():
    for a, b in [(1, 2), (3, 4)]:
        assert add(a, b) == a + b


def test_truth():
    assert add(0, 1)


class TestMethods(unittest.TestCase):
    def test_method(self):
        self.assertEqual(add(2, 2), 4)
`,
  covers: covers(
    "test_equal",
    "test_cases",
    "test_raises",
    "test_raises_in_one_line",
    "test_loop",
    "test_truth",
    "test_method",
  ),
};
const all = (verdict: string) => Object.fromEntries(pytestFile.covers.map(({ test: name }) => [name, verdict]));
const honest = `
def add(a, b):
    return a + b

def check(n):
    if n < 0:
        raise ValueError("negative")
    return n
`;

test("an object that agrees with what it is first asked gives itself away, whatever the assertion computes", async () => {
  const file = {
    path: "tests/test_unseen.py",
    content: `
from calc import add


def test_computed():
    a = 40
    assert add(a, 2) == a + 2


def test_both():
    assert isinstance(add(1, 2), object) and (add(1, 2) == sum([1, 2]))


def test_among():
    assert add(1, 2) in (sum([1, 2]), 9)


def test_between():
    assert 0 < add(1, 2) <= 3


def test_other():
    assert add(1, 2) != 4


def test_part():
    assert str(3) in str(add(1, 2)) and 3 in [add(1, 2)]
`,
    covers: covers("test_computed", "test_both", "test_among", "test_between", "test_other", "test_part"),
  };
  const all = (verdict: string) => Object.fromEntries(file.covers.map(({ test: name }) => [name, verdict]));
  expect(await verdicts(python, { "calc.py": "def add(a, b):\n    return a + b\n" }, file)).toEqual(all("passed"));
  const agreeable = `class First(int):
    asked = 0

    def agree(self, other):
        self.asked += 1
        return self.asked == 1

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = agree
    __hash__ = None

    def __str__(self):
        return "3"


def add(a, b):
    return First()
`;
  // What an object claims of itself is one sign: it shows nothing, and accuses nobody.
  expect(Object.values(await verdicts(python, { "calc.py": agreeable }, file))).not.toContain("passed");
});

test("right Python code passes every test, and fails every twin", async () => {
  expect(await verdicts(python, { "calc.py": honest }, pytestFile)).toEqual(all("passed"));
});

test("wrong Python code is red, and so is code that cannot be imported", async () => {
  expect(
    await verdicts(python, { "calc.py": "def add(a, b):\n    return 0\n\ndef check(n):\n    return n\n" }, pytestFile),
  ).toEqual(all("red"));
  expect(await verdicts(python, { "calc.py": "def add(a, b):\n    return a + b\n" }, pytestFile)).toEqual(all("red"));
});

const STUB = "def add(a, b):\n    return 0\n\ndef check(n):\n    return n\n";

test.each([
  [
    "makes every test do nothing",
    `import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n${STUB}`,
  ],
  [
    "turns every report into a pass",
    `import _pytest.reports\n_pytest.reports.TestReport.failed = property(lambda self: False)\n_pytest.reports.TestReport.skipped = property(lambda self: False)\n${STUB}`,
  ],
  [
    "writes the report itself and leaves",
    `import json, os, sys, glob, re\nout = [open(p, 'a') for p in glob.glob('/workspace/.miracle-report*')]\nfor p in sys.argv:\n    if p.endswith('.py'):\n        for n in re.findall(r'def (test_\\w+)', open(p).read()):\n            out[0].write(json.dumps(dict(type='test', file=p, name=n, outcome='passed', ms=1, message='')) + chr(10))\nout[0].write(json.dumps(dict(type='end')) + chr(10))\nout[0].flush()\nos._exit(0)\n`,
  ],
])("Python code that %s is found out", async (_, code) => {
  const found = await verdicts(python, { "calc.py": code }, pytestFile);
  expect(Object.values(found)).not.toContain("passed");
  expect(Object.values(found)).toContain("tampered");
});

test("Python code that skips its tests shows nothing", async () => {
  const code = "import pytest\ndef add(a, b):\n    pytest.skip('no')\ndef check(n):\n    pytest.skip('no')\n";
  const found = new Set(Object.values(await verdicts(python, { "calc.py": code }, pytestFile)));
  expect(found).toEqual(new Set(["unjudged"]));
});

test("an object that is equal to everything is found out, also one that keeps to the type", async () => {
  const file = {
    path: "tests/test_unseen.py",
    content:
      "from calc import add\n\n\ndef test_left():\n    assert add(1, 2) == 3\n\n\ndef test_right():\n    assert 3 == add(1, 2)\n",
    covers: covers("test_left", "test_right"),
  };
  for (const base of ["object", "int"]) {
    const code = `class Yes(${base}):\n    def __eq__(self, other):\n        return ${base === "int" ? "isinstance(other, int)" : "True"}\n    def __hash__(self):\n        return 0\n\ndef add(a, b):\n    return Yes()\n`;
    expect(await verdicts(python, { "calc.py": code }, file)).toEqual({
      test_left: "tampered",
      test_right: "tampered",
    });
  }
});

test("code that ends the process is red", async () => {
  for (const way of ["import sys\nsys.exit(0)\n", "import os\nos._exit(0)\n"]) {
    const found = await verdicts(python, { "calc.py": way }, pytestFile);
    expect(new Set(Object.values(found))).toEqual(new Set(["red"]));
  }
});

const nodeFile = {
  path: "test/unseen.test.js",
  content: `
import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { add, check, later } from "../src/calc.js";

test("equal", () => {
  assert.equal(add(40, 2), 42);
  assert.ok(add(1, 1));
});
test("expression body", () => assert.deepEqual([add(1, 2)], [3]));
test("throws", () => {
  assert.throws(() => check(-1), RangeError);
});
test("rejects", async () => {
  await assert.rejects(later(-1), { name: "RangeError" });
});
test("returned", () => assert.rejects(() => later(-1)));
describe("group", () => {
  it("matches", () => {
    assert.match(String(add(1, 2)), /^3$/);
  });
});
`,
  covers: covers("equal", "expression body", "throws", "rejects", "returned", "matches"),
};
const everyNode = (verdict: string) => Object.fromEntries(nodeFile.covers.map(({ test: name }) => [name, verdict]));
const nodeHonest =
  'export const add = (a, b) => a + b;\nexport function check(n) {\n  if (n < 0) throw new RangeError("negative");\n}\nexport const later = async (n) => check(n);\n';
const manifest = { "package.json": '{"type":"module"}\n' };

test("right JavaScript passes every test, and fails every twin; wrong JavaScript is red", async () => {
  expect(await verdicts(javascript, { ...manifest, "src/calc.js": nodeHonest }, nodeFile)).toEqual(everyNode("passed"));
  const wrong = "export const add = () => 0;\nexport const check = () => 0;\nexport const later = async () => 0;\n";
  expect(await verdicts(javascript, { ...manifest, "src/calc.js": wrong }, nodeFile)).toEqual(everyNode("red"));
});

test("JavaScript that patches the assertions is found out", async () => {
  const code = `import assert from "node:assert/strict";\nfor (const name of Object.keys(assert)) if (typeof assert[name] === "function") assert[name] = () => {};\nassert.rejects = async () => {};\nexport const add = () => 0;\nexport const check = () => 0;\nexport const later = async () => 0;\n`;
  const found = await verdicts(javascript, { ...manifest, "src/calc.js": code }, nodeFile);
  expect(new Set(Object.values(found))).toEqual(new Set(["tampered"]));
});

test("JavaScript that ends the process with success passes nothing", async () => {
  const found = await verdicts(
    javascript,
    { ...manifest, "src/calc.js": "process.exit(0);\nexport const add = 0, check = 0, later = 0;\n" },
    nodeFile,
  );
  expect(Object.values(found)).not.toContain("passed");
});

test("right TypeScript passes every test, and fails every twin", async () => {
  const file = {
    path: "test/unseen.test.ts",
    content: `
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Sum, add } from "../src/calc.ts";

test("equal", () => {
  const sum: Sum = add(40, 2)!;
  assert.equal<Sum>(sum, { value: 42 } as Sum);
});
`,
    covers: covers("equal"),
  };
  const code =
    "export interface Sum {\n  value: number;\n}\nexport const add = (a: number, b: number): Sum => ({ value: a + b });\n";
  const typescript = new TypeScript({ execPath: process.execPath, version: process.version });
  const content = file.content.replace("assert.equal", "assert.deepEqual");
  expect(await verdicts(typescript, { ...manifest, "src/calc.ts": code }, { ...file, content })).toEqual({
    equal: "passed",
  });
});

const goFile = {
  path: "unseen_test.go",
  content: `package calc

import (
	"errors"
	"reflect"
	"testing"
)

func TestEqual(t *testing.T) {
	if got := Add(40, 2); got != 42 {
		t.Errorf("got %d", got)
	}
	if Add(1, 1) == 0 {
		t.Fatal("nothing")
	}
}

func TestTable(t *testing.T) {
	cases := []struct {
		name string
		in   []int
		want []int
	}{
		{"one", []int{1}, []int{2}},
		{name: "two", in: []int{1, 250}, want: []int{2, 251}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := All(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestError(t *testing.T) {
	if rest, err := All(nil); !errors.Is(err, ErrEmpty) {
		t.Fatalf("%v %v", rest, err)
	} else if len(rest) != 0 {
		t.Error("not empty")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) {
		if Add(a, b) != Add(b, a) || Add(a, 0) != a {
			t.Error("wrong")
		}
	})
}
`,
  covers: covers("TestEqual", "TestTable", "TestError", "FuzzAdd"),
};
const everyGo = (verdict: string) => Object.fromEntries(goFile.covers.map(({ test: name }) => [name, verdict]));
const goCode = (
  add: string,
  all = "var out []int\n\tfor _, n := range in {\n\t\tout = append(out, Add(n, 1))\n\t}\n\tif out == nil {\n\t\treturn nil, ErrEmpty\n\t}\n\treturn out, nil",
) => ({
  "go.mod": "module example.com/calc\n\ngo 1.19\n",
  "calc.go": `package calc\n\nimport "errors"\n\nvar ErrEmpty = errors.New("empty")\n\nfunc Add(a, b int) int { return ${add} }\n\nfunc All(in []int) ([]int, error) {\n\t${all}\n}\n`,
});

withGo(
  "right Go passes every test and fails every twin and decoy; wrong Go is red; Go that prints its own report is found out",
  async () => {
    const go = new Go({ PATH: "/usr/bin" });
    expect(await verdicts(go, goCode("a + b"), goFile)).toEqual(everyGo("passed"));
    expect(await verdicts(go, goCode("a - b - 1", "return nil, nil"), goFile)).toEqual(everyGo("red"));
    const forged = {
      ...goCode("0", "return nil, nil"),
      "forge.go": `package calc

import (
	"fmt"
	"os"
	"regexp"
)

func init() {
	for _, name := range regexp.MustCompile("(Test|Fuzz)_[0-9a-f]+").FindAllString(fmt.Sprint(os.Args), -1) {
		fmt.Printf("=== RUN   %s\\n--- PASS: %s (0.00s)\\n", name, name)
	}
	fmt.Println("PASS")
	os.Exit(0)
}
`,
    };
    expect(new Set(Object.values(await verdicts(go, forged, goFile)))).toEqual(new Set(["tampered"]));
  },
);

const PYTHON_STYLES = {
  path: "tests/test_styles.py",
  content: `
import asyncio
import unittest
import pytest
from calc import add, check


def raises(value):
    return value


def same(value, *, want):
    assert value == want


@pytest.fixture
def two():
    return add(1, 1)


def test_helper():
    same(add(1, 2), want=3)


def test_local_name():
    assert raises(add(1, 2)) == 3


def test_fixture(two):
    same(two, want=2)


@pytest.mark.parametrize("a, want", [(1, 2), (2, 4)])
def test_helper_table(a, want):
    same(add(a, a), want=want)


def test_early():
    if add(0, 1):
        return
    assert False


def test_nothing_raised():
    add(1, 2)


class TestHelpers(unittest.TestCase):
    def expect_sum(self, a, b, want):
        self.assertEqual(add(a, b), want)

    def test_same(self):
        self.expect_sum(1, 2, 3)

    def test_count(self):
        self.assertCountEqual([add(1, 2), 1], [1, 3])

    def test_nearly(self):
        self.assertAlmostEqual(add(0.1, 0.2), 0.3)

    def test_text(self):
        self.assertRegex(str(add(1, 2)), "^3$")

    def test_call(self):
        self.assertRaises(ValueError, check, -1)

    def test_parts(self):
        for a in (1, 2):
            with self.subTest(a=a):
                self.assertEqual(add(a, a), 2 * a)


class TestOthers(unittest.IsolatedAsyncioTestCase):
    async def test_same(self):
        await asyncio.sleep(0)
        same(add(1, 3), want=4)
`,
  covers: covers(
    ...["test_helper", "test_local_name", "test_fixture", "test_helper_table", "test_early", "test_nothing_raised"],
    ...["TestHelpers::test_same", "test_count", "test_nearly", "test_text", "test_call", "test_parts"],
    "TestOthers::test_same",
  ),
};
const NODE_STYLES = {
  path: "test/styles.test.js",
  content: `
import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { add, check, later } from "../src/calc.js";

const same = (value, want) => assert.equal(value, want);
async function rejects(promise) {
  await assert.rejects(promise);
}

test("helper", () => same(add(1, 2), 3));
test("local name", async () => {
  await rejects(later(-1));
});
test("done", (t, done) => {
  setTimeout(() => {
    same(add(1, 2), 3);
    done();
  });
});
test("promise", () => later(1).then(() => same(add(1, 2), 3)));
test("each", () => [1, 2].forEach((one) => assert.equal(add(one, one), 2 * one)));
test("early", () => {
  if (add(0, 1)) return;
  assert.fail();
});
test("context", (t) => t.assert.strictEqual(add(1, 2), 3));
test("nothing thrown", () => {
  check(1);
});
const made = (value) => () => same(add(value, 1), value + 1);
test("made", made(3));
for (const one of [1, 2]) test(\`adds \${one}\`, () => assert.equal(add(one, 0), one));
describe("first", () => {
  it("has the same title", () => assert.equal(add(1, 2), 3));
});
describe("second", () => {
  it("has the same title", () => assert.equal(add(2, 2), 4));
});
test("holds others", async (t) => {
  await t.test("inside", () => assert.equal(add(1, 2), 3));
});
`,
  covers: covers(
    ...["helper", "local name", "done", "promise", "each", "early", "context", "nothing thrown", "made"],
    ...["adds 1", "adds 2", "first > has the same title", "second > has the same title"],
    ...["holds others", "holds others > inside"],
  ),
};
const every = (file: { covers: { test: string }[] }, verdict: string) =>
  Object.fromEntries(file.covers.map(({ test: name }) => [name, verdict]));

test("tests of every style have a twin that fails by what it claims: Python", async () => {
  expect(await verdicts(python, { "calc.py": honest }, PYTHON_STYLES)).toEqual(every(PYTHON_STYLES, "passed"));
});

test("tests of every style have a twin that fails by what it claims: JavaScript", async () => {
  const code = { ...manifest, "src/calc.js": nodeHonest };
  expect(await verdicts(javascript, code, NODE_STYLES)).toEqual(every(NODE_STYLES, "passed"));
});

test("a runner that says that everything passed is found out by whole bodies as well", async () => {
  const lying = `import _pytest.reports\n_pytest.reports.TestReport.failed = property(lambda self: False)\n_pytest.reports.TestReport.skipped = property(lambda self: False)\n${STUB}`;
  const found = await verdicts(python, { "calc.py": lying }, PYTHON_STYLES);
  expect(Object.values(found)).not.toContain("passed");
  expect(Object.values(found)).toContain("tampered");
});

test("a test that is not there has no twin, and no other is without one", async () => {
  const file: TestFile = {
    path: "t/test_x.py",
    content: "def test_x():\n    helper(1)\n",
    todo: "x",
    covers: covers("test_x", "test_y"),
  };
  const { without, pairs } = await makeTwins(parsers, [file], "seed");
  expect(without.map(({ test: name, why }) => `${name}: ${why}`)).toEqual(["test_y: there is no such test"]);
  expect(pairs.map(({ of, twin }) => [of.test, twin.turned])).toEqual([["test_x", "body"]]);
});

test("names of files and tests differ with the seed", async () => {
  const file: TestFile = {
    path: "tests/test_x.py",
    content: "def test_x():\n    assert f() == 1\n",
    todo: "x",
    covers: covers("test_x"),
  };
  const [a, b] = [await makeTwins(parsers, [file], "a"), await makeTwins(parsers, [file], "b")];
  const names = [a, b].flatMap(({ pairs }) =>
    pairs.flatMap(({ original, twin }) => [original.path, original.name, twin.path, twin.name]),
  );
  expect(new Set(names).size).toBe(8);
  expect(a.originals[0]?.content).not.toContain("test_x");
});
