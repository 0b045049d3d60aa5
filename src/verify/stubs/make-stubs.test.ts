/* Long because most of it is sample code: the same claims are made for every language, with real runs. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { SampleProject } from "../../../test/sample-project.ts";
import { withGo } from "../../../test/with-go.ts";
import { Go } from "../../languages/go/go.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import type { Language } from "../../languages/language.ts";
import { Python } from "../../languages/python/python.ts";
import type { BaseTree } from "../../languages/stub.ts";
import { TypeScript } from "../../languages/typescript/typescript.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { checkRed, type RedRuns } from "../written-tests/red-check.ts";
import { findMissing, stubFiles } from "./make-stubs.ts";

const parsers = new SyntaxParsers();
const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const javascript = new JavaScript({ execPath: process.execPath, version: process.version });
const typescript = new TypeScript({ execPath: process.execPath, version: process.version });
const foreign = new Set(["pytest", "subprocess", "sys", "unittest"]);

const treeOf = (files: Record<string, string>): BaseTree => ({
  has: (path) => path in files,
  hasDirectory: (path) => Object.keys(files).some((one) => one.startsWith(`${path}/`)),
  read: (path) => files[path] ?? null,
  list: (directory) =>
    Object.keys(files).filter((path) => posix.dirname(path) === (directory === "" ? "." : directory)),
});

/** Each test of the file that is no use, with the reason; runs it on the three stub trees. */
async function guardsOf(
  language: Language,
  base: Record<string, string>,
  path: string,
  content: string,
): Promise<Record<string, string>> {
  const tree = treeOf(base);
  const missing = await findMissing(parsers, { path, content }, tree, foreign);
  expect(missing.length).toBeGreaterThan(0);
  const run = async (kind: "raising" | "default" | "sentinel") => {
    const stubs = Object.fromEntries(stubFiles(missing, kind, tree).map((file) => [file.path, file.content]));
    using project = new SampleProject({ ...base, ...stubs, [path]: content });
    return await project.run(language, { files: [path] });
  };
  const runs: RedRuns = {
    base: null,
    stubs: { raising: await run("raising"), default: await run("default"), sentinel: await run("sentinel") },
    onStubs: [path],
  };
  const names = [...content.matchAll(/(?:(?:def|func) (test_\w+|Test\w+|Fuzz\w+)|\b(?:test|it)\("([^"]+)")/g)].map(
    ([, a, b]) => a ?? b ?? "",
  );
  const covers = names.map((name) => ({ test: name, requirement: "R1" }));
  const { guards, problems } = checkRed([{ path, content, todo: "x", covers }], runs);
  expect(problems).toEqual([]);
  return Object.fromEntries([...guards].map(([id, { why }]) => [id.split("::")[1] ?? "", why]));
}

const NOTHING = "it passes although nothing is implemented";
const WHATEVER = "it passes whatever the code gives back";

test("sharp tests of new Python code are red on stubs; tautologies, tests of a mock and tests that assert nothing are guards", async () => {
  const content = `
import pytest
from unittest.mock import Mock
from shop.cart import Cart, CartError, total, TAX


@pytest.fixture
def cart():
    return Cart()


def test_sharp():
    assert total([1, 2]) == 3


def test_empty():
    assert total([]) == 0


def test_error(cart):
    with pytest.raises(CartError):
        cart.remove("x")


def test_method(cart):
    cart.add("x", 2)
    assert cart.count == 2


def test_constant():
    assert TAX == 0.2


def test_tautology():
    assert 1 + 1 == 2


def test_asserts_nothing():
    total([1, 2])


def test_asserts_nothing_much(cart):
    cart.add("x", 1)
    assert cart is not None


def test_mock():
    total = Mock(return_value=3)
    assert total([1, 2]) == 3


def test_any_error():
    with pytest.raises(Exception):
        total(None)
`;
  expect(await guardsOf(python, { "README.md": "" }, "tests/test_cart.py", content)).toEqual({
    test_tautology: NOTHING,
    test_asserts_nothing: WHATEVER,
    test_asserts_nothing_much: WHATEVER,
    test_mock: NOTHING,
    test_any_error: NOTHING,
  });
});

test("a name that an existing Python module lacks is put behind what it has", async () => {
  const base = { "calc.py": "def add(a, b):\n    return a + b\n" };
  const content =
    "import calc\n\n\ndef test_new():\n    assert calc.sub(calc.add(2, 2), 1) == 3\n\n\ndef test_old():\n    assert calc.add(1, 1) == 2\n";
  expect(await guardsOf(python, base, "tests/test_sub.py", content)).toEqual({ test_old: NOTHING });
  expect(
    await findMissing(parsers, { path: "t.py", content: "from calc import add\n" }, treeOf(base), foreign),
  ).toEqual([]);
});

test("a program that does not exist is a stub that prints nothing, prints a sentinel, or ends in its own way", async () => {
  const content = `
import subprocess, sys


def run(*args):
    return subprocess.run([sys.executable, "wc.py", *args], input="a b", capture_output=True, text=True)


def test_counts():
    assert run().stdout.strip() == "2"


def test_wrong_flag():
    assert run("--nope").returncode == 2


def test_does_not_crash():
    assert run().returncode == 0


def test_fails_somehow():
    assert run("--nope").returncode != 0
`;
  expect(await guardsOf(python, {}, "test_wc.py", content)).toEqual({
    test_does_not_crash: WHATEVER,
    test_fails_somehow: NOTHING,
  });
});

test("new JavaScript is judged in the same way, as a module and as CommonJS", async () => {
  const tests = `
test("sharp", () => assert.equal(halve(10), 5));
test("throws", () => assert.throws(() => halve("x"), TypeError));
test("method", () => { const s = new Stack(); s.push(1); assert.equal(s.pop(), 1); });
test("later", async () => { assert.deepEqual(await load(), { a: 1 }); });
test("tautology", () => assert.equal(1, 1));
test("asserts nothing", () => { halve(2); });
test("asserts nothing much", () => { assert.ok(new Stack()); });
`;
  const expected = { tautology: NOTHING, "asserts nothing": WHATEVER, "asserts nothing much": NOTHING };
  const modern = `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { halve, load, Stack } from "../src/numbers.js";\n${tests}`;
  expect(await guardsOf(javascript, { "package.json": '{"type":"module"}' }, "test/numbers.test.js", modern)).toEqual(
    expected,
  );
  const common = `const assert = require("node:assert/strict");\nconst { test } = require("node:test");\nconst { halve, load, Stack } = require("../src/numbers.js");\n${tests}`;
  const base = { "package.json": "{}", "src/numbers.js": "exports.double = (n) => n * 2;\n" };
  expect(await guardsOf(javascript, base, "test/numbers.test.js", common)).toEqual(expected);
});

test("new TypeScript is judged in the same way, with the types it is given", async () => {
  const content = `
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Item, total, Cart } from "../src/cart.ts";

const items: Item[] = [{ price: 2 }];
test("sharp", () => assert.equal(total(items as Item[]), 2));
test("method", () => { const c: Cart = new Cart(); c.add(items[0]!); assert.deepEqual(c.items, items); });
test("tautology", () => assert.equal(1 satisfies number, 1));
test("asserts nothing", () => { total(items); });
`;
  expect(await guardsOf(typescript, { "package.json": '{"type":"module"}' }, "test/cart.test.ts", content)).toEqual({
    tautology: NOTHING,
    "asserts nothing": WHATEVER,
  });
});

withGo("new Go is compiled with types that the tests show, and judged in the same way", async () => {
  const content = `package shop

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestSharp(t *testing.T) {
	if got := Total([]int{1, 2}); got != 3 {
		t.Errorf("Total = %d", got)
	}
}

func TestTable(t *testing.T) {
	cases := []struct {
		in   string
		want []string
	}{
		{"a,b", []string{"a", "b"}},
		{in: "", want: nil},
	}
	for _, c := range cases {
		t.Run(c.in, func(t *testing.T) {
			got, err := Split(c.in, ",")
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("Split(%q) = %v", c.in, got)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	if _, err := Split("", ""); !errors.Is(err, ErrEmpty) {
		t.Errorf("got %v", err)
	}
	if _, err := Split("", ""); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("got %v", err)
	}
}

func TestMethods(t *testing.T) {
	cart := NewCart(10)
	cart.Add(Item{Name: "tea", Price: 2.5})
	if cart.Len() != 1 || math.Abs(cart.Sum()-2.5) > 0.01 {
		t.Fatal("not added")
	}
	first, ok := cart.First()
	if !ok || first.Name != "tea" {
		t.Errorf("first is %v", first)
	}
}

func TestDates(t *testing.T) {
	want := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	if got := Leap(2024); !got.Equal(want) || got != want {
		t.Errorf("got %v", got)
	}
	var upper string = Shout("a")
	if upper != "A" || !Loud(upper) {
		t.Error(upper)
	}
}

func parsed(t *testing.T, in string) Expr {
	t.Helper()
	e, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func same(t *testing.T, got, want string) {
	if got != want {
		t.Error(got)
	}
}

func TestKinds(t *testing.T) {
	if got := parsed(t, "1+2").Eval(map[string]float64{"x": 1}); got != 3 {
		t.Error(got)
	}
	cache := NewCache[string, int](3)
	if n, _ := cache.Get("x"); n != 1 {
		t.Error(n)
	}
	want := []Token{{Kind: Plus, Text: "1"}}
	tokens, err := Lex("1+2")
	var failed *ParseError
	if len(tokens) != 3 || tokens[0] != want[0] || !errors.As(err, &failed) || failed.Line != 1 {
		t.Error(tokens)
	}
	if got := Origin().Move(Point{1, 2}); got != (Point{1, 2}) || Red.String() != "red" {
		t.Error(got)
	}
	words := Words("a b")
	for i, word := range words {
		if word != []string{"a", "b"}[i] {
			t.Error(word)
		}
	}
	same(t, Greet("Bob"), "Hello, Bob")
	if <-Stream() != 1 || Count("a")["a"] != 2 || *Find("x").Age != 3 {
		t.Error("no")
	}
}

func FuzzTotal(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) {
		if Total([]int{a, b}) != a+b {
			t.Error("wrong")
		}
	})
}

func TestTautology(t *testing.T) {
	if 1+1 != 2 {
		t.Error("no")
	}
}

func TestAssertsNothing(t *testing.T) { Total(nil) }
`;
  const base = {
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "old.go": "package shop\n\nfunc Old() int { return 1 }\n",
  };
  expect(await guardsOf(new Go({ PATH: "/usr/bin" }), base, "cart_test.go", content)).toEqual({
    TestTautology: NOTHING,
    TestAssertsNothing: WHATEVER,
  });
  const outside = `package shop_test

import (
	"testing"

	"example.com/shop"
	"example.com/shop/tax"
)

func TestMore(t *testing.T) {
	c := shop.NewCounter()
	c.Hit()
	if got := c.Count(); got != shop.Old() {
		t.Error(got)
	}
}

func TestRate(t *testing.T) {
	if tax.Rate("de") != 0.19 || tax.Default != 0.2 {
		t.Error("wrong rate")
	}
}
`;
  const counter =
    "package shop\n\ntype Counter struct{}\n\nfunc NewCounter() *Counter { return &Counter{} }\n\nfunc (c *Counter) Hit() {}\n";
  const tree = treeOf({ ...base, "counter.go": counter });
  const missing = await findMissing(parsers, { path: "more_test.go", content: outside }, tree, foreign);
  const stubs = Object.fromEntries(stubFiles(missing, "default", tree).map((file) => [file.path, file.content]));
  expect(stubs["zz_stub.go"]).toMatch(/^package shop\n\nfunc \(own Counter\) Count\(given \.\.\.any\) \(any\)/);
  const changed =
    'package shop\n\nimport "testing"\n\nfunc TestOld(t *testing.T) {\n\tif got, err := Old(2); err != nil || got != 2 {\n\t\tt.Error(got)\n\t}\n}\n';
  const otherwise = await findMissing(parsers, { path: "old_test.go", content: changed }, tree, foreign);
  expect(stubFiles(otherwise, "default", tree).map(({ content: code }) => code)).toEqual([
    expect.stringContaining("func Old(given ...any) (int, error) {"),
    "package shop\n\nfunc zzOld() int { return 1 }\n",
  ]);
  expect(
    await findMissing(
      parsers,
      { path: "old_test.go", content: changed.replace("got, err := Old(2); err != nil ||", "got := Old();") },
      tree,
      foreign,
    ),
  ).toEqual([]);
  expect(stubs["tax/zz_stub.go"]).toMatch(
    /^package tax\n\nfunc Rate\(given \.\.\.any\) \(float64\)(.|\n)*var Default float64/,
  );
});
