import { expect, test } from "vitest";
import { compareVersions, onlyFunction } from "../../../test/behaviour-builder.ts";
import { Python } from "../../languages/python/python.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

const CART = {
  "cart.py": "def total(prices):\n    return sum(prices)\n\n\ndef discount(price):\n    return price * 0.9\n",
  "test_cart.py": `from cart import discount, total


def test_total():
    assert total([1, 2]) == 3


def test_discount():
    assert discount(100) == 90
`,
};

test("a hard-coded answer differs for everything but the test's own input", async () => {
  const after = { "cart.py": CART["cart.py"].replace("price * 0.9", "90.0 if price == 100 else price") };
  const report = await compareVersions(python, { before: CART, after, functions: ["cart.py::discount"] });
  const found = onlyFunction(report);
  expect(found).toMatchObject({ problem: null, recorded: 1, differing: { tests: 0 }, unstable: 0, unseen: 0 });
  expect(found.calls).toEqual({ made: 1, distinct: 1, lost: 0 });
  expect(found.varied).toBeGreaterThan(5);
  expect(found.differing.varied).toBeGreaterThan(3);
  expect(found.differences).toContainEqual({
    call: "discount(101)",
    before: "90.9",
    after: "101",
    from: "varied",
    tests: ["test_cart.py::test_discount"],
  });
});

const SHAPES = {
  "shapes.py": `import json, os


def evens(numbers):
    found = []
    for number in numbers:
        if number % 2 == 0:
            found.append(number)
    return found


def greet(name, greeting="hello", *, loud=False, **more):
    text = greeting + " " + name + "".join(sorted(more))
    return text.upper() if loud else text


def parse(text):
    if not text.isdigit():
        raise ValueError("no number: " + text)
    return int(text)


def double_all(numbers):
    for index in range(len(numbers)):
        numbers[index] *= 2


def countdown(start):
    while start > 0:
        yield start
        start -= 1


async def later(value):
    return value + 1


def announce(count):
    print("there are", count)


def rate(name):
    with open("rates.json") as file:
        return json.load(file)[name]


def apply_to(function, values):
    return [function(value) for value in values]


class Counter:
    def __init__(self, start=0):
        self.count = start

    def add(self, amount):
        self.count += amount
        return self.count

    @property
    def twice(self):
        return self.count * 2

    @staticmethod
    def named(name):
        return name + "!"

    @classmethod
    def of(cls, values):
        return cls(len(values))
`,
  "rates.json": '{"eur": 1.5, "usd": 2}',
  "test_shapes.py": `import asyncio
import pytest
import unittest
from shapes import *


def test_lists():
    assert evens([1, 2, 3, 4]) == [2, 4]
    numbers = [1, 2]
    double_all(numbers)
    assert numbers == [2, 4]
    assert list(countdown(3)) == [3, 2, 1]
    assert apply_to(lambda value: value + 1, [1, 2]) == [2, 3]


def test_greet():
    assert greet("anna") == "hello anna"
    assert greet("anna", loud=True, z=1) == "HELLO ANNAZ"
    assert greet("bob", "hi") == "hi bob"


def test_parse():
    assert parse("12") == 12
    with pytest.raises(ValueError):
        parse("x")


def test_later(capsys):
    assert asyncio.run(later(1)) == 2
    announce(3)
    assert capsys.readouterr().out == "there are 3\\n"
    assert rate("eur") == 1.5


class TestCounter(unittest.TestCase):
    def test_counts(self):
        counter = Counter()
        self.assertEqual(counter.add(2), 2)
        self.assertEqual(counter.add(3), 5)
        self.assertEqual(counter.twice, 10)
        self.assertEqual(Counter.named("a"), "a!")
        self.assertEqual(Counter.of("abc").count, 3)
`,
};

const NAMES = [
  ...["evens", "greet", "parse", "double_all", "countdown", "later", "announce", "rate", "apply_to"],
  ...["Counter.__init__", "Counter.add", "Counter.twice", "Counter.named", "Counter.of"],
].map((name) => `shapes.py::${name}`);

const SHAPES_CODE = SHAPES["shapes.py"];
const replaced = (changes: [string, string][], code = SHAPES_CODE): string =>
  changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`there is no ${from}`);
    return text.replace(from, to);
  }, code);

test("honest refactorings agree, whatever kind of function they are in", async () => {
  const after = {
    "shapes.py": replaced([
      [
        `    found = []
    for number in numbers:
        if number % 2 == 0:
            found.append(number)
    return found
`,
        "    return [each for each in numbers if each % 2 == 0]\n",
      ],
      ['    text = greeting + " " + name', '    text = f"{greeting} {name}"'],
      ['raise ValueError("no number: " + text)', 'raise ValueError(f"no number: {text}")'],
      [
        "    for index in range(len(numbers)):\n        numbers[index] *= 2",
        "    numbers[:] = [n * 2 for n in numbers]",
      ],
      ["        yield start\n        start -= 1", "        yield start\n        start = start - 1"],
      ["return value + 1", "return plus(value)"],
      ['print("there are", count)', 'print(f"there are {count}")'],
      ["[function(value) for value in values]", "list(map(function, values))"],
      ["        self.count += amount\n", "        self.count = self.count + amount\n"],
      ["return self.count * 2", "return 2 * self.count"],
      ['return name + "!"', 'return f"{name}!"'],
      ["class Counter:", "def plus(value):\n    return value + 1\n\n\nclass Counter:"],
    ]),
  };
  const { functions } = await compareVersions(python, { before: SHAPES, after, functions: NAMES });
  const told = functions.map(({ name, problem, differences, compared }) => ({
    name,
    problem,
    differences,
    compared: compared > 2,
  }));
  const agreed = NAMES.map((name) => ({
    name: name.slice("shapes.py::".length),
    problem: null,
    differences: [],
    compared: true,
  }));
  // A text that is not one is joined in one way and formatted in another: these are differences, and true.
  expect(told.filter(({ name }) => !["greet", "parse", "Counter.named"].includes(name))).toEqual(
    agreed.filter(({ name }) => !["greet", "parse", "Counter.named"].includes(name)),
  );
});
