import { expect, test, vi } from "vitest";
import { compareVersions, onlyFunction } from "../../../test/behaviour-builder.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";

// Each test runs a suite and many processes, perhaps beside many others.
vi.setConfig({ testTimeout: 120_000 });

const javascript = new JavaScript(process);

const CALC = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "calc.js": `export function add(a, b) {
  return a + b;
}

export function discount(price) {
  return price * 0.9;
}
`,
  "calc.test.js": `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { add, discount } from "./calc.js";

test("add", () => {
  assert.equal(add(1, 2), 3);
});
describe("discount", () => {
  test("is a number", async () => {
    await 0;
    assert.equal(typeof discount(100), "number");
  });
});
`,
};

test("a hard-coded answer and a wrong factor differ", async () => {
  const functions = ["calc.js::discount"];
  const coded = { "calc.js": CALC["calc.js"].replace("price * 0.9", "price === 100 ? 90 : price") };
  const found = onlyFunction(await compareVersions(javascript, { before: CALC, after: coded, functions }));
  expect(found).toMatchObject({ problem: null, recorded: 1, differing: { tests: 0 }, unstable: 0, unseen: 0 });
  expect(found.differing.varied).toBeGreaterThan(3);
  expect(found.differences).toContainEqual({
    call: "discount(101)",
    before: "90.9",
    after: "101",
    from: "varied",
    tests: ["calc.test.js::discount > is a number"],
  });
  const wrong = { "calc.js": CALC["calc.js"].replace("0.9", "9") };
  const other = onlyFunction(await compareVersions(javascript, { before: CALC, after: wrong, functions }));
  expect(other.differences[0]).toMatchObject({ call: "discount(100)", before: "90", after: "900", from: "tests" });
});

const SHAPES = {
  "package.json": CALC["package.json"],
  "shapes.js": `import { readFileSync } from "node:fs";

export function evens(numbers) {
  const found = [];
  for (const number of numbers) if (number % 2 === 0) found.push(number);
  return found;
}

export const greet = (name, { greeting = "hello" } = {}) => greeting + " " + name;

export function parse(text) {
  if (!/^[0-9]+$/.test(text)) throw new RangeError("no number: " + text);
  return Number(text);
}

export function doubleAll(numbers) {
  for (let index = 0; index < numbers.length; index += 1) numbers[index] *= 2;
}

export function* countdown(start) {
  while (start > 0) yield start--;
}

export async function later(value) {
  await null;
  return value + 1;
}

function hidden(value) {
  "use strict";
  return Math.floor(value / 2);
}

export function half(value) {
  return hidden(value); // by another
}

export const announce = (count) => {
  console.log("there are", count);
};

export function rate(name) {
  return JSON.parse(readFileSync("rates.json", "utf8"))[name];
}

export const applyTo = (make, values) => values.map((value) => make(value));

export class Counter {
  constructor(start = 0) {
    this.count = start;
  }
  add(amount) {
    this.count += amount;
    return this.count;
  }
  get twice() {
    return this.count * 2;
  }
  static named(name) {
    return name + "!";
  }
}
`,
  "rates.json": '{"eur": 1.5, "usd": 2}',
  "shapes.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import * as own from "./shapes.js";

test("evens", () => assert.ok(own.evens([1, 2, 3, 4])));
test("greet", () => assert.ok(own.greet("anna") + own.greet("bob", { greeting: "hi" })));
test("parse", () => { own.parse("12"); assert.throws(() => own.parse("x")); });
test("doubleAll", () => own.doubleAll([1, 2]));
test("countdown", () => assert.ok([...own.countdown(3)].length > 1));
test("later", async () => assert.ok(await own.later(1)));
test("half", () => assert.ok(own.half(5)));
test("announce", () => own.announce(3));
test("rate", () => assert.ok(own.rate("eur")));
test("applyTo", () => assert.ok(own.applyTo((value) => value + 1, [1, 2])));
test("Counter", () => {
  const counter = new own.Counter();
  counter.add(2);
  counter.add(3);
  new own.Counter(7).add(1);
  assert.ok(counter.twice && own.Counter.named("a"));
});
`,
};

const NAMES = [
  ...["evens", "greet", "parse", "doubleAll", "countdown", "later", "hidden", "half", "announce", "rate", "applyTo"],
  ...["Counter.constructor", "Counter.add", "Counter.twice", "Counter.named"],
];
const FUNCTIONS = NAMES.map((name) => `shapes.js::${name}`);

const replaced = (changes: [string, string][]): string =>
  changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`there is no ${from}`);
    return text.replace(from, to);
  }, SHAPES["shapes.js"]);

test("honest refactorings agree, whatever kind of function they are in", async () => {
  const after = {
    "shapes.js": replaced([
      [
        `  const found = [];
  for (const number of numbers) if (number % 2 === 0) found.push(number);
  return found;`,
        "  return [...numbers].filter((number) => number % 2 === 0);",
      ],
      ['greeting + " " + name', "[greeting, name].join(' ')"],
      ['"no number: " + text', '"no ".concat("number: ", text)'],
      ["  while (start > 0) yield start--;", "  for (let at = start; at > 0; at -= 1) yield at;"],
      ["  await null;\n  return value + 1;", "  return plus(value);"],
      ["  return Math.floor(value / 2);", "  const half = value / 2;\n  return Math.floor(half);"],
      ['console.log("there are", count)', 'console.log("there are".concat(" ", count))'],
      ["values.map((value) => make(value))", "values.map((each) => make(each))"],
      ["this.count += amount;\n    return this.count;", "return (this.count += amount);"],
      ["this.count * 2", "2 * this.count"],
      ["export class Counter", "const plus = (value) => value + 1;\n\nexport class Counter"],
    ]),
  };
  const { functions } = await compareVersions(javascript, { before: SHAPES, after, functions: FUNCTIONS });
  const told = functions.map(({ name, problem, differing, compared }) => ({ name, problem, differing, compared }));
  const agreed = { problem: null, differing: { tests: 0, varied: 0 }, compared: expect.toSatisfy((many) => many > 4) };
  expect(told).toEqual(NAMES.map((name) => ({ name, ...agreed })));
});

test("wrong edits differ, whatever kind of function they are in", async () => {
  const after = {
    "shapes.js": replaced([
      ["number % 2 === 0", "number && number % 2 === 0"],
      ['greeting = "hello"', 'greeting = "Hello"'],
      ["new RangeError", "new TypeError"],
      ["numbers[index] *= 2", "numbers[index] += 2"],
      ["start > 0", "start > 1"],
      ["return value + 1", "return value + 2"],
      ["Math.floor(value / 2)", "Math.trunc(value / 2)"],
      ['"there are"', '"there is"'],
      [")[name]", ")[name] ?? 0"],
      ["values.map((value) => make(value))", "values.slice(0, 2).map((value) => make(value))"],
      ["this.count = start", "this.count = Math.max(0, start)"],
      ["this.count += amount", "this.count += Math.abs(amount)"],
      ["this.count * 2", "this.count * this.count - 15 * 1"],
      ['name + "!"', 'name.trim() + "!"'],
    ]),
  };
  const { functions } = await compareVersions(javascript, { before: SHAPES, after, functions: FUNCTIONS });
  const found = functions.map(({ name, differing: { tests, varied }, problem }) => [
    name,
    problem ?? `${tests > 0}, ${varied > 0}`,
  ]);
  expect(Object.fromEntries(found)).toEqual({
    evens: "false, true",
    greet: "true, true",
    parse: "true, true",
    doubleAll: "true, true",
    countdown: "true, true",
    later: "true, true",
    hidden: "false, true",
    half: "false, true",
    announce: "true, true",
    rate: "false, true",
    applyTo: "false, true",
    "Counter.constructor": "false, true",
    "Counter.add": "false, true",
    "Counter.twice": "false, true",
    "Counter.named": "false, true",
  });
  const shown = functions.flatMap(({ differences }) => differences).map((one) => [one.call, one.before, one.after]);
  expect(shown).toContainEqual(["doubleAll([ 1, 2 ])", "makes an argument [ 2, 4 ]", "makes an argument [ 3, 4 ]"]);
  expect(shown).toContainEqual(["announce(3)", 'prints "there are 3\\n"', 'prints "there is 3\\n"']);
  expect(shown).toContainEqual(["parse('x')", "raises RangeError: no number: x", "raises TypeError: no number: x"]);
  expect(shown).toContainEqual(["countdown(3)", "yields [ 3, 2, 1 ]", "yields [ 3, 2 ]"]);
  expect(shown).toContainEqual(["hidden(-5)", "-3", "-2"]);
});

test("a fix of the tests' own inputs alone is told from one that goes beyond them, in TypeScript and CommonJS", async () => {
  const before = {
    "package.json": '{ "scripts": { "test": "node --test" } }',
    "half.ts": "export function half(number: number): number {\n  return Math.trunc(number / 2);\n}\n",
    "part.cjs": "function part(number) {\n  return Math.trunc(number / 2);\n}\nmodule.exports = { part };\n",
    "half.test.mjs": `import assert from "node:assert";
import { test } from "node:test";
import { half } from "./half.ts";
import parts from "./part.cjs";
test("half", () => assert.equal(half(-3), -2));
test("part", () => assert.equal(parts.part(-3), -2));
`,
  };
  const after = {
    "half.ts": before["half.ts"].replace("trunc", "floor"),
    "part.cjs": before["part.cjs"].replace("return", "if (number === -3) return -2;\n  return"),
  };
  const functions = ["half.ts::half", "part.cjs::part"];
  const report = await compareVersions(javascript, { before, after, functions, mutate: ["half.ts", "part.cjs"] });
  const [half, part] = report.functions;
  expect(half).toMatchObject({ problem: null, differing: { tests: 1, varied: expect.toSatisfy((many) => many > 1) } });
  expect(part).toMatchObject({ problem: null, differing: { tests: 1, varied: 0 }, narrow: ["argument 1"] });
  // Only where both versions agree a call tells of mutants.
  expect(report.noticed.length).toBeGreaterThan(2);
  expect([report.untried, half?.unnoticed]).toEqual([[], []]);
  expect(part?.unnoticed).not.toEqual([]);
});

test("what depends on the clock or on the test's own set-up is not compared; what depends on other calls is called alone", async () => {
  const code = `import { readFileSync } from "node:fs";
let last = 0;
export const next = (step) => (last += step);
export const clock = () => process.hrtime.bigint();
export const roll = (sides) => Math.floor(Math.random() * sides);
export function read(path) {
  return readFileSync(path, "utf8");
}
export const quiet = (value) => {};
export const maker = (value) => () => value;
export const wait = (promise) => promise;
`;
  const before = {
    "package.json": CALC["package.json"],
    "odd.js": code,
    "odd.test.js": `import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import * as odd from "./odd.js";
test("odd", async () => {
  odd.next(1);
  odd.clock();
  odd.roll(1000000);
  const place = mkdtempSync("/tmp/odd-");
  writeFileSync(place + "/a", "b");
  odd.read(place + "/a");
  rmSync(place, { recursive: true });
  odd.quiet(1);
  odd.maker(1)();
  await odd.wait(Promise.resolve(1));
});
`,
  };
  const after = { "odd.js": code.replace("() => value;", "() => (value);") };
  const names = ["next", "clock", "roll", "read", "quiet", "maker", "wait"];
  const functions = names.map((name) => `odd.js::${name}`);
  const report = await compareVersions(javascript, { before, after, functions });
  const twice = "its calls do not do the same twice, or not what they do in the tests";
  expect(report.functions.map(({ problem }) => problem)).toEqual([
    null,
    twice,
    null,
    twice,
    "nothing of what it does can be seen from outside",
    "its objects or results cannot be compared between the two trees",
    "its arguments cannot be carried over (an object of a class that is not the project's: Promise)",
  ]);
  expect(report.functions.every(({ differing }) => differing.tests + differing.varied === 0)).toBe(true);
});

const COMMON = {
  "package.json": '{ "scripts": { "test": "node --test" } }\n',
  "lib.js": `const twice = (make) => (value) => make(value) * 2;
exports.half = (n) => (n / 2) | 0;
exports.third = function (n) {
  return Math.floor(n / 3);
};
exports.doubled = twice((n) => n + 1);
exports.Box = class {
  constructor(size) {
    this.size = size;
  }
  grow(by) {
    this.size += by;
    return this.size;
  }
};
exports.Box.prototype.shrink = function (by) {
  return this.size - by;
};
`,
  "api.js": `module.exports = {
  plus(n) {
    return n + 1;
  },
  deep: { minus: (n) => n - 1 },
};
`,
  "main.js": "module.exports = function (n) {\n  return n * 10;\n};\n",
  "lib.test.js": `const assert = require("node:assert");
const test = require("node:test");
const { half, third, doubled, Box } = require("./lib.js");
const api = require("./api.js");
const times = require("./main.js");
test("half", () => assert.equal(half(5), 2));
test("third", () => assert.equal(third(10), 3));
test("doubled", () => assert.equal(doubled(4), 10));
test("grow", () => assert.equal(new Box(4).grow(3), 7));
test("shrink", () => assert.equal(new Box(4).shrink(3), 1));
test("plus", () => assert.equal(api.plus(4), 5));
test("minus", () => assert.equal(api.deep.minus(4), 3));
test("times", () => assert.equal(times(4), 40));
`,
};

test.each([
  ["exports.half", "lib.js", "(n / 2) | 0", "Math.floor(n / 2)"],
  ["exports.third", "lib.js", "Math.floor(n / 3)", "Math.trunc(n / 3)"],
  ["exports.Box.grow", "lib.js", "+= by", "+= Math.abs(by)"],
  ["exports.Box.prototype.shrink", "lib.js", "- by", "- Math.abs(by)"],
  ["module.exports", "main.js", "n * 10", "Math.abs(n) * 10"],
])("%s is reached by its path from the module", async (name, path, from, to) => {
  const source = COMMON[path === "lib.js" ? "lib.js" : "main.js"];
  const after = { [path]: source.replace(from, to) };
  const functions = [`${path}::${name}`];
  const found = onlyFunction(await compareVersions(javascript, { before: COMMON, after, functions }));
  expect(found).toMatchObject({ problem: null, recorded: 1, differing: { tests: 0 } });
  expect(found.differing.varied).toBeGreaterThan(0);
});

test("functions of a module that a factory made, or that stand in an object, are found when the module runs", async () => {
  const after = {
    "lib.js": COMMON["lib.js"].replace("make(value) * 2", "make(value) + make(value)").replace("n + 1", "n + 1.5"),
    "api.js": COMMON["api.js"].replace("n - 1", "n - 2"),
  };
  const report = await compareVersions(javascript, { before: COMMON, after, modules: ["lib.js", "api.js"] });
  const differing = report.functions.filter(({ differing }) => differing.tests > 0).map(({ name }) => name);
  expect(differing.sort()).toEqual(["exports.doubled", "module.exports.deep.minus"]);
  const names = report.functions.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["module.exports.plus", "exports.half", "exports.Box.constructor"]));
  expect(report.functions.every(({ problem }) => problem === null)).toBe(true);
});

test("what an object inherits is an input, too", async () => {
  const before = {
    "package.json": COMMON["package.json"],
    "keys.js":
      "exports.keys = (of) => {\n  const found = [];\n  for (const key in of) found.push(key);\n  return found;\n};\n",
    "keys.test.js": `const test = require("node:test");
const { keys } = require("./keys.js");
test("keys", () => require("node:assert").deepEqual(keys({ a: 1 }), ["a"]));
`,
  };
  const after = { "keys.js": before["keys.js"].replace("key in of", "key of Object.keys(of)") };
  const found = onlyFunction(
    await compareVersions(javascript, { before, after, functions: ["keys.js::exports.keys"] }),
  );
  expect(found).toMatchObject({ problem: null, differing: { tests: 0 } });
  expect(found.differences).toContainEqual(
    expect.objectContaining({ before: "[ 'a', 'inherited' ]", after: "[ 'a' ]" }),
  );
});

test("state that is left for the next call, and a list that is given out, are behaviour", async () => {
  const before = {
    "package.json": COMMON["package.json"],
    "bag.js": `exports.isName = (text) => /[a-z]+/.test(text);
exports.copied = (list) => [...list];
exports.kept = (list) => [...list];
`,
    "bag.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { isName, copied, kept } = require("./bag.js");
test("names", () => assert.ok(isName("ab") && !isName("1")));
test("lists", () => assert.deepEqual(copied([1, 2]), kept([1, 2])));
`,
  };
  const after = {
    "bag.js": `const NAME = /[a-z]+/g;
exports.isName = (text) => NAME.test(text);
exports.copied = (list) => list;
exports.kept = (list) => list.slice();
`,
  };
  const functions = ["isName", "copied", "kept"].map((name) => `bag.js::exports.${name}`);
  const report = await compareVersions(javascript, { before, after, functions });
  const found = new Map(report.functions.map((one) => [one.name, one.differences]));
  expect(found.get("exports.isName")?.map((one) => one.after)).toContainEqual(
    expect.stringContaining("and something else after other calls"),
  );
  expect(found.get("exports.copied")?.[0]?.after).toContain("gives out it is argument 1");
  expect(found.get("exports.kept")).toEqual([]);
});

test("inputs on which functions that look alike part are tried; sharing, freezing and what errors carry are behaviour", async () => {
  const before = `const DEFAULTS = { limits: { low: 1 } };
exports.has = (map, key) => Object.hasOwn(map, key);
exports.words = (line) => line.trim().split(/\\s+/);
exports.letters = (text) => [...text].length;
exports.day = (ms) => new Date(ms).getUTCDate();
exports.fresh = () => structuredClone(DEFAULTS);
exports.options = (given) => Object.freeze({ ...given });
exports.rows = (size) => Array.from({ length: size }, () => [0]);
exports.find = (names, name) => {
  if (names.includes(name)) return name;
  throw Object.assign(new Error(name), { status: 404 });
};
exports.kept = (line) => ({ limits: { ...DEFAULTS.limits }, line: line.trim() });
`;
  const after = `const DEFAULTS = { limits: { low: 1 } };
exports.has = (map, key) => key in map;
exports.words = (line) => line.trim().split(/ +/);
exports.letters = (text) => text.length;
exports.day = (ms) => new Date(ms).getDate();
exports.fresh = () => ({ ...DEFAULTS });
exports.options = (given) => ({ ...given });
exports.rows = (size) => Array.from({ length: size }).fill([0]);
exports.find = (names, name) => {
  if (names.includes(name)) return name;
  throw new Error(name);
};
exports.kept = (line) => {
  const limits = Object.assign({}, DEFAULTS.limits);
  return { limits, line: line.trim() };
};
`;
  const names = [...before.matchAll(/^exports\.(\w+)/gm)].map(([, name]) => `exports.${name}`);
  const report = await compareVersions(javascript, {
    before: {
      "package.json": COMMON["package.json"],
      "m.js": before,
      "m.test.js": `const m = require("./m.js");
require("node:test")("m", () => {
  m.has({ a: 1 }, "a"), m.words("a b"), m.letters("ab"), m.day(0), m.fresh(), m.options({ a: 1 }), m.rows(2), m.find(["a"], "a"), m.kept("a");
});
`,
    },
    after: { "m.js": after },
    functions: names.map((name) => `m.js::${name}`),
  });
  const agree = report.functions.filter(({ problem, differences }) => problem === null && differences.length === 0);
  expect(agree.map(({ name }) => name)).toEqual(["exports.kept"]);
});

test("what is given as a derived class, or asks what it is given anew each time, is told apart", async () => {
  const before = {
    "package.json": CALC["package.json"],
    "money.js": `export class Money {
  constructor(cents) {
    this.cents = cents;
  }
  plus(other) {
    return new this.constructor(this.cents + other.cents);
  }
}

export function tokens(users, make) {
  const found = {};
  for (const user of users) found[user] = make();
  return found;
}

export function kept(body) {
  const found = {};
  for (const key of Object.keys(body)) if (["name", "mail"].includes(key)) found[key] = body[key];
  return found;
}

export function rank(people) {
  return [...people].sort((a, b) => b.age - a.age).map(({ name }) => name);
}
`,
    "money.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { kept, Money, rank, tokens } from "./money.js";

test("money", () => {
  assert.equal(new Money(1).plus(new Money(2)).cents, 3);
  assert.deepEqual(tokens(["a", "b"], () => 7), { a: 7, b: 7 });
  assert.deepEqual(kept({ name: "a", mail: "b" }), { name: "a", mail: "b" });
  assert.deepEqual(rank([{ name: "a", age: 11 }, { name: "b", age: 64 }]), ["b", "a"]);
});
`,
  };
  const changed = (parts: [string, string, string][]) => ({
    "money.js": parts.reduce((text, [, from, to]) => text.replace(from, to), before["money.js"]),
  });
  const compared = async (parts: [string, string, string][]) => {
    const functions = parts.map(([name]) => `money.js::${name}`);
    const report = await compareVersions(javascript, { before, after: changed(parts), functions });
    return Object.fromEntries(report.functions.map((one) => [one.name, one.differences.length > 0]));
  };
  const wrong: [string, string, string][] = [
    ["Money.plus", "new this.constructor(", "new Money("],
    [
      "tokens",
      "{};\n  for (const user of users) found[user] = make();",
      "{};\n  const made = make();\n  for (const user of users) found[user] = made;",
    ],
    ["kept", 'if (["name", "mail"].includes(key)) ', ""],
    [
      "rank",
      "sort((a, b) => b.age - a.age).map(({ name }) => name)",
      "sort((a, b) => a.age - b.age).reverse().map(({ name }) => name)",
    ],
  ];
  expect(await compared(wrong)).toEqual(Object.fromEntries(wrong.map(([name]) => [name, true])));
  const same: [string, string, string][] = [
    ["Money.plus", "new this.constructor(this.cents + other.cents)", "new this.constructor(other.cents + this.cents)"],
    [
      "tokens",
      "  const found = {};\n  for (const user of users) found[user] = make();\n  return found;",
      "  const found = {};\n  users.forEach((user) => {\n    found[user] = make();\n  });\n  return found;",
    ],
    ["rank", "[...people].sort", "Array.from(people).sort"],
  ];
  expect(await compared(same)).toEqual(Object.fromEntries(same.map(([name]) => [name, false])));
});
