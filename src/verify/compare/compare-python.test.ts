import { expect, test, vi } from "vitest";
import { compareVersions, onlyFunction } from "../../../test/behaviour-builder.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import { Python } from "../../languages/python/python.ts";

// Each test runs a suite and many processes, perhaps beside many others.
vi.setConfig({ testTimeout: 120_000 });

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


def test_more():
    assert len(list(countdown(3))) > 1
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
    assert "3\\n" in capsys.readouterr().out
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
  const told = functions.map(({ name, problem, differing, compared }) => ({ name, problem, differing, compared }));
  const agreed = { problem: null, differing: { tests: 0, varied: 0 }, compared: expect.toSatisfy((many) => many > 6) };
  expect(told).toEqual(NAMES.map((name) => ({ name: name.slice("shapes.py::".length), ...agreed })));
});

test("wrong edits differ, whatever kind of function they are in", async () => {
  const after = {
    "shapes.py": replaced([
      ["number % 2 == 0", "number % 2 == 0 and number"],
      ['greeting="hello"', 'greeting="Hello"'],
      ['"no number: "', '"not a number: "'],
      ["numbers[index] *= 2", "numbers[index] += 2"],
      ["while start > 0", "while start > 1"],
      ["return value + 1", "return value + 1.0"],
      ['print("there are"', 'print("there is"'],
      ["[name]", ".get(name)"],
      ["[function(value) for value in values]", "[function(value) for value in values[:2]]"],
      ["self.count = start", "self.count = max(0, start)"],
      ["self.count += amount", "self.count += abs(amount)"],
      ["self.count * 2", "self.count + self.count % 7 * 1"],
      ['name + "!"', "name.strip() + '!'"],
      ["cls(len(values))", "cls(len(set(values)))"],
    ]),
  };
  const { functions } = await compareVersions(python, { before: SHAPES, after, functions: NAMES });
  const found = Object.fromEntries(
    functions.map(({ name, differing: { tests, varied }, problem }) => [
      name,
      problem ?? `${tests > 0}, ${varied > 0}`,
    ]),
  );
  expect(found).toEqual({
    evens: "false, true",
    greet: "true, true",
    parse: "true, true",
    double_all: "true, true",
    countdown: "true, true",
    later: "true, true",
    announce: "true, true",
    rate: "false, true",
    apply_to: "false, true",
    "Counter.__init__": "false, true",
    "Counter.add": "false, true",
    "Counter.twice": "false, true",
    "Counter.named": "false, true",
    "Counter.of": "false, true",
  });
  const shown = functions.map(({ differences }) => differences[0]).map((one) => [one?.call, one?.before, one?.after]);
  expect(shown).toContainEqual(["double_all([1, 2])", "makes an argument [2, 4]", "makes an argument [3, 4]"]);
  expect(shown).toContainEqual(["announce(3)", "prints 'there are 3\\n'", "prints 'there is 3\\n'"]);
  expect(shown).toContainEqual(["parse('x')", "raises ValueError: no number: x", "raises ValueError: not a number: x"]);
  expect(shown).toContainEqual(["countdown(3)", "yields [3, 2, 1]", "yields [3, 2]"]);
});

const HALF = {
  "half.py": "def half(number):\n    return int(number / 2)\n",
  "test_half.py": "from half import half\n\n\ndef test_even():\n    assert half(4) == 2\n",
};
const TURNED = "\n\ndef test_negative():\n    assert half(-3) == -2\n    assert half(-5) == -3\n";

test("a fix of the tests' own inputs alone is told from one that goes beyond them", async () => {
  const tests = { "test_half.py": HALF["test_half.py"] + TURNED };
  const functions = ["half.py::half"];
  const honest = { ...tests, "half.py": "def half(number):\n    return number // 2\n" };
  const special = {
    ...tests,
    "half.py":
      "def half(number):\n    if number in (-3, -5):\n        return number // 2\n    return int(number / 2)\n",
  };
  const fixed = onlyFunction(await compareVersions(python, { before: HALF, after: honest, functions }));
  expect(fixed.differing).toEqual({ tests: 2, varied: expect.toSatisfy((many) => many > 3) });
  expect(fixed.narrow).toEqual([]);
  const patched = onlyFunction(await compareVersions(python, { before: HALF, after: special, functions }));
  expect(patched.differing).toEqual({ tests: 2, varied: 0 });
  expect(patched.narrow).toEqual(["argument 1"]);
  expect(patched.differences.map(({ call, tests }) => [call, tests])).toEqual([
    ["half(-3)", ["test_half.py::test_negative"]],
    ["half(-5)", ["test_half.py::test_negative"]],
  ]);
});

test("what is random or depends on a hash is not compared; state, files and what the test set up are", async () => {
  const code = `import random, time
SEEN = []


def roll(sides):
    return random.randint(1, sides)


def first_of(names):
    return list({name + "!" for name in names})[0]


def clock():
    return time.time_ns()


def read(path):
    with open(path) as file:
        return file.read()


def note(text):
    SEEN.append(text)


def save(text):
    with open("saved.txt", "w") as file:
        file.write(text)
`;
  const before = {
    "odd.py": code,
    "test_odd.py": `import odd


def test_odd(tmp_path):
    assert odd.roll(1000000) and odd.first_of(["anna", "bob", "cora", "dan", "eva"]) and odd.clock()
    (tmp_path / "a").write_text("b")
    assert odd.read(str(tmp_path / "a")) == "b"
    odd.note("x")
    odd.save("y")
`,
  };
  const after = {
    "odd.py": code
      .replace("(text)\n\n\ndef save", "(text + '.')\n\n\ndef save")
      .replace("file.write(text)", "file.write(text + text)"),
  };
  const functions = ["roll", "first_of", "clock", "read", "note", "save"].map((name) => `odd.py::${name}`);
  const report = await compareVersions(python, { before, after, functions });
  const [roll, first, clock, read, note, save] = report.functions;
  expect(clock).toMatchObject({ compared: 0, differing: { tests: 0, varied: 0 } });
  expect(clock?.problem).toBe("its calls do not do the same twice, or not what they do in the tests");
  expect(read).toMatchObject({ problem: null, compared: 7, differing: { tests: 0, varied: 0 } });
  for (const one of [roll, first]) expect(one).toMatchObject({ differing: { tests: 0, varied: 0 } });
  expect(roll?.unstable).toBeGreaterThan(0);
  expect(note?.differences[0]).toMatchObject({ before: "makes SEEN ['x']", after: "makes SEEN ['x.']" });
  expect(save?.differing.tests).toBe(1);
});

test.each(["python", "javascript"])(
  "what a test calls that turned is met, however many other calls there are: %s",
  async (name) => {
    const isPython = name === "python";
    const [code, tests] = isPython ? ["label.py", "test_label.py"] : ["label.mjs", "label.test.mjs"];
    const body = (last: string) =>
      isPython
        ? `def label(n):\n    return ${last} if n == "last" else str(n)\n`
        : `export const label = (n) => (n === "last" ? ${last} : String(n));\n`;
    const suite = isPython
      ? `import pytest
from label import label


@pytest.mark.parametrize("n", range(200))
def test_many(n):
    assert label(n)


def test_last():
    assert label("last") == "b"
`
      : `import test from "node:test";
import assert from "node:assert";
import { label } from "./label.mjs";

for (let n = 0; n < 200; n += 1) test("many " + n, () => assert.ok(label(n)));
test("last", () => assert.equal(label("last"), "b"));
`;
    const compared = async (first: string[]) => {
      const versions = { before: { [code]: body('"a"'), [tests]: suite }, after: { [code]: body('"b"') } };
      const report = await compareVersions(isPython ? python : new JavaScript(process), {
        ...versions,
        ...{ functions: [`${code}::label`], first },
      });
      return onlyFunction(report).differing.tests;
    };
    expect(await compared([])).toBe(0);
    expect(await compared([isPython ? "test_label.py::test_last" : "label.test.mjs::last"])).toBe(1);
  },
);

test("a new function's outcomes tell a function from a table of answers, and no call of it tells of mutants", async () => {
  const before = { "label.py": "", "test_label.py": "" };
  const tests = `from label import label


def test_label():
    assert label(3) == "EUR 3"
    assert label(5) == "EUR 5"
`;
  const honest = { "label.py": 'def label(number):\n    return "EUR " + str(number)\n', "test_label.py": tests };
  const table = { ...honest, "label.py": 'def label(number):\n    return {3: "EUR 3", 5: "EUR 5"}.get(number)\n' };
  const functions = ["+label.py::label"];
  const real = await compareVersions(python, { before, after: honest, functions, mutate: ["label.py"] });
  const { outcomes, problem, varied, noticed } = onlyFunction(real);
  expect({ problem, recorded: outcomes.recorded, raise: outcomes.variedRaise }).toEqual({
    problem: null,
    recorded: 2,
    raise: 0,
  });
  expect(outcomes.varied).toBe(varied);
  expect(noticed).toEqual([]);
  expect(real.untried).not.toEqual([]);
  const other = onlyFunction(await compareVersions(python, { before, after: table, functions }));
  expect(other.outcomes).toEqual({ recorded: 2, varied: 1, variedRaise: 0 });
});

test("a mutant that no call can tell is not noticed, and neither is one that only another call's left-overs show", async () => {
  const before = {
    "seen.py": `SEEN = []
NAMES = ["a"]


def note(text):
    SEEN.append(text)
    return len(text)


def unused():
    return 1 + 1
`,
    "test_seen.py": "from seen import note\n\n\ndef test_note():\n    assert note('a') == 1 and note('bb') == 2\n",
  };
  const report = await compareVersions(python, { before, after: {}, modules: ["seen.py"], mutate: ["seen.py"] });
  const lines = (ids: string[]) => [...new Set(ids.map((id) => id.split(":")[1]))].sort();
  expect(lines(report.noticed)).toEqual(["6", "7"]);
  expect(lines(report.unnoticed)).toEqual(["11", "2"]);
});

test("a changed statement of a module is compared in the functions that tests call", async () => {
  const before = {
    "tax.py": "RATE = 0.2\n\n\ndef tax(price):\n    return price * RATE\n\n\ndef name():\n    return 'tax'\n",
    "test_tax.py": "from tax import name, tax\n\n\ndef test_tax():\n    assert tax(0) == 0 and name() == 'tax'\n",
  };
  const after = { "tax.py": before["tax.py"].replace("0.2", "0.25") };
  const { functions } = await compareVersions(python, { before, after, modules: ["tax.py"] });
  expect(functions.map(({ name, differing }) => [name, differing.tests, differing.varied > 0])).toEqual([
    ["tax", 0, true],
    ["name", 0, false],
  ]);
});

test("says why a function cannot be compared", async () => {
  const before = {
    "code_.py": `class Box:
    def __init__(self, items):
        self.items = items

    def count(self):
        return len(self.items)


def use(lock):
    return lock.locked()


def unused():
    return 1


def outer(n):
    def inner(m):
        return m
    return inner


def quiet(n):
    return None
`,
    "test_code.py": `import threading
from code_ import Box, outer, quiet, use


def test_code():
    assert Box([1]).count() == 1
    assert not use(threading.Lock())
    assert outer(1)(2) == 2
    quiet(1)
`,
  };
  const changed = before["code_.py"].replaceAll("self.items", "self.things").replace("return m\n", "return 0 + m\n");
  const names = ["Box.count", "use", "unused", "outer", "outer.<locals>.inner", "quiet"];
  const functions = names.map((name) => `code_.py::${name}`);
  const report = await compareVersions(python, { before, after: { "code_.py": changed }, functions });
  const problems = Object.fromEntries(report.functions.map(({ name, problem }) => [name, problem]));
  expect(problems).toEqual({
    "Box.count": "its objects or results cannot be compared between the two trees",
    use: expect.stringContaining(
      "its arguments cannot be carried over (TypeError: cannot pickle '_thread.lock' object",
    ),
    unused: "no test calls it in its own process",
    outer: "its objects or results cannot be compared between the two trees",
    "outer.<locals>.inner": expect.stringContaining("it stands within another function"),
    quiet: "nothing of what it does can be seen from outside",
  });
  expect(report.functions.map(({ differing }) => differing.tests + differing.varied)).toEqual([0, 0, 0, 0, 0, 0]);
});

test("what a class keeps for itself makes no other objects", async () => {
  const box = (more: string) => `from typing import ClassVar


class Box:
    unit: ClassVar[str] = "kg"
${more}
    def __init__(self, weight):
        self.weight = weight

    def heavy(self, limit):
        return self.weight > limit
`;
  const before = {
    "box.py": box(""),
    "test_box.py":
      "from box import Box\n\n\ndef test_heavy():\n    assert Box(3).heavy(2)\n    assert not Box(1).heavy(2)\n",
  };
  const elsewhere = new Proxy(python, {
    get: (own, name) => {
      const value = name === "callsInPlace" ? false : Reflect.get(own, name);
      return typeof value === "function" ? value.bind(own) : value;
    },
  });
  const compared = async (more: string) => {
    const after = { "box.py": box(more) };
    const report = await compareVersions(elsewhere, { before, after, functions: ["box.py::Box.heavy"] });
    return report.functions.map(({ problem }) => problem);
  };
  expect(await compared('    other: ClassVar[str] = "lb"\n')).toEqual([null]);
  expect(await compared('    other: str = "lb"\n')).toEqual([
    "its objects or results cannot be compared between the two trees",
  ]);
});

test("a call that hangs in one tree alone is a difference, and one that ends the process, too", async () => {
  const before = {
    "loop.py": "def down(n):\n    while n > 0:\n        n -= 1\n    return n\n\n\ndef leave(n):\n    return n\n",
    "test_loop.py": "from loop import down, leave\n\n\ndef test_loop():\n    assert down(3) == 0 and leave(1) == 1\n",
  };
  const after = {
    "loop.py": before["loop.py"]
      .replace("n > 0", "n != 0")
      .replace(
        "    return n\n\n\ndef leave(n):\n",
        "    return n\n\n\ndef leave(n):\n    import os\n    n > 1 and os._exit(3)\n",
      ),
  };
  const { functions } = await compareVersions(python, {
    before,
    after,
    functions: ["loop.py::down", "loop.py::leave"],
  });
  const [down, leave] = functions;
  expect(down?.differences).toContainEqual(expect.objectContaining({ after: "does not come to an end" }));
  expect(leave?.differences[0]).toMatchObject({ before: "2", after: "ends the process" });
});

test("what a callback of a test leaves behind is seen", async () => {
  const before = {
    "again.py": "def times(n, f):\n    for i in range(n + 1):\n        f(i)\n",
    "test_again.py": `from again import times


def test_none():
    assert times(0, str) is None


def test_times():
    calls = 0
    def f(i):
        nonlocal calls
        calls += 1
    times(3, f)
    assert calls == 3


def test_seen():
    seen = []
    times(3, seen.append)
    times(3, lambda i: seen.append(i))
    assert seen == [0, 1, 2, 0, 1, 2]
`,
  };
  const after = { "again.py": before["again.py"].replace("n + 1", "n") };
  const found = onlyFunction(await compareVersions(python, { before, after, functions: ["again.py::times"] }));
  expect(found).toMatchObject({ problem: null, differing: { tests: 3 } });
  expect(found.differing.varied).toBeGreaterThan(3);
  const same = { "again.py": before["again.py"].replace("n + 1", "1 + n") };
  const kept = onlyFunction(await compareVersions(python, { before, after: same, functions: ["again.py::times"] }));
  expect(kept).toMatchObject({ problem: null, differing: { tests: 0, varied: 0 } });
});

test("state that is left for the next call, and a list that is given out, are behaviour", async () => {
  const before = {
    "bag.py": `def add(item, bag=None):
    bag = [] if bag is None else bag
    bag.append(item)
    return bag


class Bag:
    def __init__(self, items):
        self.inner = list(items)

    def items(self):
        return list(self.inner)

    def first(self):
        return self.inner[0]
`,
    "test_bag.py": `from bag import Bag, add


def test_add():
    assert add(1) == [1]
    assert add(2, [1]) == [1, 2]


def test_bag():
    assert Bag([1, 2]).items() == [1, 2]
    assert Bag([1, 2]).first() == 1
`,
  };
  const after = {
    "bag.py": before["bag.py"]
      .replace("bag=None):\n    bag = [] if bag is None else bag", "bag=[]):")
      .replace("return list(self.inner)", "return self.inner")
      .replace("return self.inner[0]", "first = self.inner[0]\n        return first"),
  };
  const functions = ["bag.py::add", "bag.py::Bag.items", "bag.py::Bag.first"];
  const report = await compareVersions(python, { before, after, functions });
  const found = new Map(report.functions.map((one) => [one.name, one.differences]));
  expect(found.get("add")?.map((one) => one.after)).toContainEqual(
    expect.stringContaining("and something else after other calls"),
  );
  expect(found.get("Bag.items")?.[0]?.after).toContain("gives out it is argument 1.inner");
  expect(found.get("Bag.first")).toEqual([]);
});

/** Which of these functions of one file are found to differ. */
async function differing(before: string, after: string, tests: string): Promise<string[]> {
  const names = [...before.matchAll(/^def (\w+)/gm)].map(([, name]) => name ?? "");
  const report = await compareVersions(python, {
    before: { "m.py": before, "test_m.py": `import m\n\n\ndef test():\n${tests.replace(/^/gm, "    ")}\n` },
    after: { "m.py": after },
    functions: names.map((name) => `m.py::${name}`),
  });
  return report.functions.flatMap(({ name, problem, differences }) =>
    problem !== null || differences.length > 0 ? name : [],
  );
}

test("inputs on which functions that look alike part are tried", async () => {
  const before = `def clean(line):
    return line.strip()
def words(line):
    return line.split()
def number(text):
    return int(text) if text.isdecimal() else None
def rows(text):
    return text.splitlines()
def same(a, b):
    return a.casefold() == b.casefold()
def is_id(a, b):
    return a == b
def kept(line):
    return line.strip().lower()
`;
  const after = `def clean(line):
    return line.strip(" ")
def words(line):
    return [word for word in line.split(" ") if word]
def number(text):
    return int(text) if text.isdigit() else None
def rows(text):
    return text.rstrip("\\n").split("\\n") if text else []
def same(a, b):
    return a.lower() == b.lower()
def is_id(a, b):
    return a is b
def kept(line):
    line = line.strip()
    return line.lower()
`;
  const tests = `m.clean(" a ")\nm.words("a  b")\nm.number("12")\nm.rows("a\\nb")\nm.same("Ab", "aB")\nm.is_id(1, 1)\nm.kept("a ")`;
  expect(await differing(before, after, tests)).toEqual(["clean", "words", "number", "rows", "same", "is_id"]);
});

test("who else has a part of what is given out, and what can be done with it, is behaviour", async () => {
  const before = `import copy
from dataclasses import dataclass
DEFAULTS = {"a": [1]}
@dataclass(frozen=True)
class Point:
    x: int
def fresh():
    return copy.deepcopy(DEFAULTS)
def grid(size):
    return [[0] for _ in range(size)]
def point(x):
    return Point(x)
def find(names, name):
    if name in names:
        return name
    error = LookupError(name)
    error.status = 404
    raise error
def table():
    return {"a": list(DEFAULTS["a"])}
`;
  const after = before
    .replace("copy.deepcopy(DEFAULTS)", "dict(DEFAULTS)")
    .replace("[[0] for _ in range(size)]", "[[0]] * size")
    .replace("(frozen=True)", "")
    .replace("    error.status = 404\n", "")
    .replace('list(DEFAULTS["a"])', 'DEFAULTS["a"][:]');
  const tests = `m.fresh()\nm.grid(2)\nm.point(1)\nm.find(["a"], "a")\nm.table()`;
  expect(await differing(before, after, tests)).toEqual(["fresh", "grid", "point", "find"]);
});

test("what is given as a derived class, or asks what it is given anew each time, is told apart", async () => {
  const shapes = {
    "shapes.py": `class Shape:
    def __init__(self, size):
        self.size = size

    @classmethod
    def parse(cls, text):
        return cls(int(text))

    def doubled(self):
        return type(self)(self.size * 2)


def flat(items):
    found = []
    for one in items:
        found += flat(one.values()) if isinstance(one, dict) else [one]
    return found


def tokens(users, make):
    found = {}
    for user in users:
        found[user] = make()
    return found


def kept(body):
    found = {}
    for key in body:
        if key in ("name", "mail"):
            found[key] = body[key]
    return found


def inside(root, name):
    return (root / name).resolve().is_relative_to(root)
`,
    "test_shapes.py": `from pathlib import Path

from shapes import Shape, flat, inside, kept, tokens


def test_shapes():
    assert Shape.parse("3").size == 3
    assert Shape(2).doubled().size == 4


def test_flat():
    assert flat([1, {"a": 2, "b": {"c": 3}}]) == [1, 2, 3]


def test_tokens():
    assert tokens(["a", "b"], lambda: 7) == {"a": 7, "b": 7}


def test_kept():
    assert kept({"name": "a", "mail": "b"}) == {"name": "a", "mail": "b"}


def test_inside():
    assert inside(Path("/srv/data"), "x.txt")
    assert not inside(Path("/srv/data"), "../../etc/passwd")
`,
  };
  const wrong: [string, string, string][] = [
    ["Shape.parse", "return cls(int(text))", "return Shape(int(text))"],
    ["Shape.doubled", "return type(self)(", "return Shape("],
    ["flat", "isinstance(one, dict)", "type(one) is dict"],
    [
      "tokens",
      "    found = {}\n    for user in users:\n        found[user] = make()",
      "    found, made = {}, make()\n    for user in users:\n        found[user] = made",
    ],
    [
      "kept",
      '        if key in ("name", "mail"):\n            found[key] = body[key]',
      "        found[key] = body[key]",
    ],
    ["inside", ".is_relative_to(root)", ".__str__().startswith(str(root))"],
  ];
  const same: [string, string, string][] = [
    [
      "flat",
      "found += flat(one.values()) if isinstance(one, dict) else [one]",
      "found.extend(flat(one.values()) if isinstance(one, dict) else [one])",
    ],
    [
      "tokens",
      "    found = {}\n    for user in users:\n        found[user] = make()\n    return found",
      "    return {user: make() for user in users}",
    ],
    [
      "kept",
      '    found = {}\n    for key in body:\n        if key in ("name", "mail"):\n            found[key] = body[key]\n    return found',
      '    return {key: one for key, one in body.items() if key in ("name", "mail")}',
    ],
  ];
  const changed = (parts: [string, string, string][]) => ({
    "shapes.py": parts.reduce((text, [, from, to]) => text.replace(from, to), shapes["shapes.py"]),
  });
  const compared = async (parts: [string, string, string][]) => {
    const functions = parts.map(([name]) => `shapes.py::${name}`);
    const report = await compareVersions(python, { before: shapes, after: changed(parts), functions });
    return Object.fromEntries(report.functions.map((one) => [one.name, one.differences.length > 0]));
  };
  expect(await compared(wrong)).toEqual(Object.fromEntries(wrong.map(([name]) => [name, true])));
  expect(await compared(same)).toEqual(Object.fromEntries(same.map(([name]) => [name, false])));
});

test("an answer to the very input of a test is no more than that, of whatever kind the same value is", async () => {
  const after = {
    "cart.py": CART["cart.py"].replace("return sum", "if prices == [1, 2]:\n        return 3.0\n    return sum"),
  };
  const found = onlyFunction(await compareVersions(python, { before: CART, after, functions: ["cart.py::total"] }));
  expect(found.differing).toEqual({ tests: 1, varied: 0 });
  expect(found.narrow).toContain("argument 1");
});
