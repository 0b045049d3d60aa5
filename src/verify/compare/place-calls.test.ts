import { expect, test, vi } from "vitest";
import { compareVersions, onlyFunction } from "../../../test/behaviour-builder.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import { Python } from "../../languages/python/python.ts";

// Each test runs a suite and many processes, perhaps beside many others.
vi.setConfig({ testTimeout: 120_000 });

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

/** A lock, a callback with a lock, an iterator over a lock's rows and an open file cannot be carried elsewhere. */
const SHOP = {
  "shop.py": `import sys


class Shop:
    def __init__(self, lock):
        self.lock, self.sold = lock, 0

    def sell(self, price, count):
        with self.lock:
            self.sold += price * count
        return self.sold


def each(lock, numbers, make):
    return [make(number) for number in numbers if not lock.locked()]


def lines(file, limit):
    return [line.strip() for line in file][:limit]


def total(rows):
    return sum(rows)


def words(path):
    with open(path) as file:
        return len(file.read().split())


def settings(lock):
    return 1 if lock else 2


def guarded(function):
    def call(lock, count, name):
        return function(lock, count, name) if name == "anna" else None
    return call


@guarded
def taken(lock, count, name):
    return lock.locked() + count
`,
  "test_shop.py": `import threading
import pytest
from shop import *


def test_sell():
    shop = Shop(threading.Lock())
    assert shop.sell(3, 2) == 6
    assert shop.sell(1, 1) == 7


def test_each():
    lock = threading.Lock()
    seen = []
    assert each(lock, [1, 2], lambda number: seen.append(lock) or number + 1) == [2, 3]
    assert len(seen) == 2


def test_lines(tmp_path):
    (tmp_path / "a.txt").write_text("a\\nb\\nc")
    with open(tmp_path / "a.txt") as file:
        assert lines(file, 2) == ["a", "b"]


def test_total():
    assert total(number for number in [1, 2, 3]) == 6


def test_words(tmp_path):
    (tmp_path / "b.txt").write_text("a b")
    assert words(tmp_path / "b.txt") == 2


def test_settings():
    assert settings(threading.Lock()) == 1


def test_taken():
    assert taken(threading.Lock(), 2, "anna") == 2
`,
};

const change = (from: string, to: string) => ({ "shop.py": SHOP["shop.py"].replace(from, to) });
const compare = async (name: string, from: string, to: string) =>
  onlyFunction(
    await compareVersions(python, { before: SHOP, after: change(from, to), functions: [`shop.py::${name}`] }),
  );

test.each([
  ["Shop.sell", "price * count", "count * price"],
  ["each", "[make(number) for number in numbers if not lock.locked()]", "list(map(make, numbers))"],
  ["lines", "[line.strip() for line in file]", "list(map(str.strip, file))"],
  ["total", "sum(rows)", "sum(list(rows))"],
  ["words", "len(file.read().split())", "sum(len(line.split()) for line in file)"],
  ["taken", "lock.locked() + count", "count + lock.locked()"],
])("%s agrees with its refactoring where the test calls it", async (name, from, to) => {
  const found = await compare(name, from, to);
  expect(found).toMatchObject({ problem: null, differing: { tests: 0, varied: 0 } });
  expect(found.compared).toBeGreaterThan(4);
  expect(found.compared).toBe(found.recorded + found.varied);
});

test.each([
  ["Shop.sell", "price * count", "price * (count if price == 3 else 1)"],
  ["each", "make(number) for number in numbers", "make(number) if number in (1, 2) else 0 for number in numbers"],
  ["lines", "[:limit]", "[: min(limit, 2)]"],
  ["words", "len(file.read().split())", "file.read().count(' ') + 1"],
  ["total", "sum(rows)", "sum(row for row in rows if row in (1, 2, 3))"],
])("%s differs on other inputs than those that its test gives it", async (name, from, to) => {
  const found = await compare(name, from, to);
  expect(found).toMatchObject({ problem: null, differing: { tests: 0 } });
  expect(found.differing.varied).toBeGreaterThan(0);
});

test("an answer to the test's own input differs for it alone", async () => {
  const found = await compare("Shop.sell", "price * count", "6 if (price, count) == (3, 2) else 1");
  expect(found.problem).toBe(null);
  const from = SHOP["shop.py"].replace("price * count", "1");
  const before = { ...SHOP, "shop.py": from };
  const after = { "shop.py": from.replace("+= 1", "+= 6 if (price, count) == (3, 2) else 1") };
  const special = onlyFunction(await compareVersions(python, { before, after, functions: ["shop.py::Shop.sell"] }));
  expect(special).toMatchObject({ problem: null, differing: { tests: 1, varied: 0 } });
  expect(special.narrow.sort()).toEqual(["argument 2", "argument 3"]);
});

test("what a test calls that turned is met in its place, however many other calls there are", async () => {
  const hold = (last: string) => `def hold(lock, n):\n    return ${last} if n == "last" else str(n)\n`;
  const tests = `import threading, pytest
from hold import hold


@pytest.mark.parametrize("n", range(80))
def test_many(n):
    assert hold(threading.Lock(), n)


def test_last():
    assert hold(threading.Lock(), "last") == "b"
`;
  const before = { "hold.py": hold('"a"'), "test_hold.py": tests };
  const compared = async (first: string[]) =>
    onlyFunction(
      await compareVersions(python, {
        ...{ before, after: { "hold.py": hold('"b"') }, functions: ["hold.py::hold"] },
        ...{ isExpected: true, first },
      }),
    ).differing.tests;
  expect(await compared([])).toBe(0);
  expect(await compared(["test_hold.py::test_last"])).toBe(1);
});

test("a function that lost its decorator is not compared without it", async () => {
  const found = await compare("taken", "@guarded\n", "");
  expect(found.problem).not.toBe(null);
});

test("what looks for a test runner, or takes nothing that could be varied, is not compared", async () => {
  const looking = await compare("total", "sum(rows)", "sum(rows) if 'pytest' in sys.modules else 0");
  expect(looking.problem).not.toBe(null);
  expect(looking.compared).toBe(0);
  const alone = await compare("settings", "1 if lock else 2", "2 - bool(lock)");
  expect(alone.problem).toContain("only 0 other inputs could be tried");
});

const javascript = new JavaScript(process);

/** A socket, a callback with variables of its own, a class with arrows and a change of the language itself. */
const SCRIPT = {
  "package.json": '{ "scripts": { "test": "node --test" } }\n',
  "shop.js": `exports.times = (n, call) => {
  for (let index = 0; index <= n; index += 1) call(index);
};
class Shop {
  #sold = 0;
  constructor(socket) {
    this.socket = socket;
  }
  sell(price, count) {
    this.#sold += price * count;
    return price * count;
  }
  price = (count) => count * 3;
}
exports.Shop = Shop;
function keys(value) {
  const found = [];
  for (const key in value) found.push(key);
  return found;
}
exports.keys = keys;
exports.later = async (socket, n) => {
  await null;
  return socket ? n + 1 : 0;
};
`,
  "shop.test.js": `const assert = require("node:assert");
const { Socket } = require("node:net");
const test = require("node:test");
const { times, Shop, keys, later } = require("./shop.js");
test("times", () => {
  let calls = 0;
  const seen = { calls: [] };
  times(3, (index) => {
    calls += 1;
    seen.calls.push(index);
    return calls;
  });
  assert.ok(calls >= 3);
});
test("sell", () => {
  const shop = new Shop(new Socket());
  assert.equal(shop.sell(3, 2), 6);
});
test("price", () => assert.equal(new Shop(new Socket()).price(2), 6));
test("keys", () => {
  Object.prototype.odd = 1;
  try {
    keys({ a: 1 });
  } finally {
    delete Object.prototype.odd;
  }
});
test("later", async () => assert.equal(await later(new Socket(), 3), 4));
`,
};

const compareScript = async (name: string, from: string, to: string) => {
  const after = { "shop.js": SCRIPT["shop.js"].replace(from, to) };
  const functions = [`shop.js::${name}`];
  return onlyFunction(await compareVersions(javascript, { before: SCRIPT, after, functions, isExpected: true }));
};

test.each([
  ["Shop.sell", "this.#sold += price * count", "this.#sold = this.#sold + count * price"],
  ["Shop.price", "count * 3", "3 * count"],
  ["exports.later", "socket ? n + 1 : 0", "socket ? 1 + n : 0"],
])("%s agrees with its refactoring where the test calls it, in JavaScript", async (name, from, to) => {
  const found = await compareScript(name, from, to);
  expect(found).toMatchObject({ problem: null, differing: { tests: 0, varied: 0 } });
  expect(found.compared).toBeGreaterThan(4);
});

test.each([
  ["Shop.sell", "return price * count", "return price === 3 ? price * count : price"],
  ["Shop.price", "count * 3", "count === 2 ? 6 : count"],
  ["exports.later", "n + 1", "Math.min(n + 1, 4)"],
])("%s differs on other inputs than those that its test gives it, in JavaScript", async (name, from, to) => {
  const found = await compareScript(name, from, to);
  expect(found).toMatchObject({ problem: null, differing: { tests: 0 } });
  expect(found.differing.varied).toBeGreaterThan(0);
});

test("whether inherited properties count makes a difference, in the test's call or in others", async () => {
  const found = await compareScript("keys", "key in value", "key of Object.keys(value)");
  expect(found.problem).toBe(null);
  expect(found.differing.tests + found.differing.varied).toBeGreaterThan(0);
});

test("how a callback is called is seen, though its variables are not", async () => {
  const found = await compareScript("exports.times", "index <= n", "index < n");
  expect(found).toMatchObject({ problem: null, differing: { tests: 1 } });
  expect(found.differing.varied).toBeGreaterThan(3);
  const looking = "call(process.env.NODE_TEST_CONTEXT ? index : -1)";
  expect((await compareScript("exports.times", "call(index)", looking)).problem).not.toBe(null);
});
