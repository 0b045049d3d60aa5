import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { joinTests } from "./join-tests.ts";

const parsers = new SyntaxParsers();
const join = (path: string, target: string, added: string) =>
  joinTests(parsers, { path, content: target }, { path: `new_${path}`, content: added });

const OWN = `"""Invoices."""
from shop.invoice import as_money, total


def test_total():
    assert total([1, 2]) == 3
`;

test("tests go to the end of the file, and imports to its imports", async () => {
  const added = `"""What was asked for."""
from hypothesis import given, strategies as st

from shop.invoice import as_money, as_cents

# The smallest coin.
PENNY = 1


@given(st.integers())
def test_cents(n):
    assert as_cents(as_money(n)) == n * PENNY
`;
  expect(await join("test_invoice.py", OWN, added)).toBe(`"""Invoices."""
from hypothesis import given, strategies as st

from shop.invoice import as_money, total, as_cents


def test_total():
    assert total([1, 2]) == 3


# The smallest coin.
PENNY = 1


@given(st.integers())
def test_cents(n):
    assert as_cents(as_money(n)) == n * PENNY
`);
});

test("a file that ends by running itself gets them before that", async () => {
  const target = `import unittest\n\n\nclass A(unittest.TestCase):\n    pass\n\n\nif __name__ == "__main__":\n    unittest.main()\n`;
  const added = `import os\nimport unittest\n\n\nclass B(unittest.TestCase):\n    sep = os.sep\n\n\nif __name__ == "__main__":\n    unittest.main()\n`;
  expect(await join("test_a.py", target, added)).toBe(
    `import os\nimport unittest\n\n\nclass A(unittest.TestCase):\n    pass\n\n\nclass B(unittest.TestCase):\n    sep = os.sep\n\n\nif __name__ == "__main__":\n    unittest.main()\n`,
  );
});

test.each([
  ["the same name", "def test_total():\n    assert True\n"],
  ["another thing of an imported name", "from shop.tax import total\n\n\ndef test_a():\n    assert total() == 1\n"],
  [
    "a helper that replaces an imported name",
    "def as_money(n):\n    return n\n\n\ndef test_a():\n    assert as_money(1)\n",
  ],
  ["a mark for the whole file", "import pytest\n\npytestmark = pytest.mark.slow\n\n\ndef test_a():\n    assert True\n"],
  ["a fixture for all tests", "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef here():\n    pass\n"],
  ["work while it is loaded", "import os\n\nos.chdir('/')\n\n\ndef test_a():\n    assert True\n"],
  ["future syntax", "from __future__ import annotations\n\n\ndef test_a():\n    assert True\n"],
  ["what cannot be read", "def test_a(:\n"],
])("a Python file with %s stays a file of its own", async (_, added) => {
  expect(await join("test_invoice.py", OWN, added)).toBeNull();
});

test("in scripts, too", async () => {
  const target = `import assert from "node:assert/strict";
import { test } from "node:test";
import { half } from "../src/half.js";

test("halves", () => {
  assert.equal(half(4), 2);
});
`;
  const added = `import { test, describe } from "node:test";
import assert from 'node:assert/strict';
import { half } from "../src/half.js";

const EVEN = [2, 4];

describe("odd numbers", () => {
  test("throw", () => assert.throws(() => half(EVEN[0] + 1)));
});
`;
  expect(await join("half.test.js", target, added)).toBe(`import assert from "node:assert/strict";
import { test, describe } from "node:test";
import { half } from "../src/half.js";

test("halves", () => {
  assert.equal(half(4), 2);
});

const EVEN = [2, 4];

describe("odd numbers", () => {
  test("throw", () => assert.throws(() => half(EVEN[0] + 1)));
});
`);
  expect(
    await join("half.test.js", target, `import { test } from "node:test";\ntest("halves", () => {});\n`),
  ).toBeNull();
  const hook = `import { beforeEach } from "node:test";\nbeforeEach(() => {});\n`;
  expect(await join("half.test.js", target, hook)).toBeNull();
});

test("with require, names are taken from the same place", async () => {
  const target = `const { half } = require("./half");\n\ntest("halves", () => {\n  expect(half(4)).toBe(2);\n});\n`;
  const added = `const { half, third } = require("./half");\n\ntest("thirds", () => {\n  expect(third(9)).toBe(half(6));\n});\n`;
  expect(await join("half.test.js", target, added)).toBe(
    `const { half, third } = require("./half");\n\ntest("halves", () => {\n  expect(half(4)).toBe(2);\n});\n\ntest("thirds", () => {\n  expect(third(9)).toBe(half(6));\n});\n`,
  );
});

test("in Go, imports stay in order and packages must be the same", async () => {
  const target = `package calc

import (
	"errors"
	"testing"
)

func TestSum(t *testing.T) { _ = errors.New("x") }
`;
  const added = `package calc

import "testing"
import "strings"

func TestMinus(t *testing.T) { _ = strings.ToUpper("x") }
`;
  expect(await join("calc_test.go", target, added)).toBe(`package calc

import (
	"errors"
	"strings"
	"testing"
)

func TestSum(t *testing.T) { _ = errors.New("x") }

func TestMinus(t *testing.T) { _ = strings.ToUpper("x") }
`);
  const single = `package calc\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {}\n`;
  expect(await join("calc_test.go", single, added)).toContain(`import (\n\t"strings"\n\t"testing"\n)\n`);
  expect(await join("calc_test.go", target, added.replace("package calc", "package calc_test"))).toBeNull();
});
