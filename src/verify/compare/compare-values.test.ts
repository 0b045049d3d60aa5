import { expect, test, vi } from "vitest";
import { compareVersions } from "../../../test/behaviour-builder.ts";
import { JavaScript } from "../../languages/javascript/javascript.ts";
import type { Language } from "../../languages/language.ts";
import { Python } from "../../languages/python/python.ts";

// Each test runs a suite and many processes, perhaps beside many others.
vi.setConfig({ testTimeout: 120_000 });

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });
const javascript = new JavaScript(process);

type Files = Record<string, string>;

/** Of each name its old and its new value where they differ, `same`, or why nobody can say. */
async function valuesOf(language: Language, path: string, before: Files, after: Files, names: string[]) {
  const asked = names.map((name) => ({ path, oldPath: path, name }));
  const report = await compareVersions(language, { before, after, names: asked });
  return Object.fromEntries(
    report.functions.map(({ name, kind, problem, differences: [one] }) => {
      expect(kind).toBe("value");
      return [name, one ? `${one.before} → ${one.after}` : (problem ?? "same")];
    }),
  );
}

const PYTHON = {
  "other.py": "TABLE = {}\n",
  "lib.py": `import string
import other
TIMEOUT = 30
NAMES = ["a", "b"]
__all__ = ["NAMES"]
BASE = {"a": 1}
OWN = dict(BASE)
make = lambda: 1


class Shop:
    limit = 3
`,
  "test_lib.py": "import lib\n\n\ndef test_lib():\n    assert lib.TIMEOUT\n",
};

test("values of a module are compared, in Python", async () => {
  const after = {
    "lib.py": PYTHON["lib.py"]
      .replace("= 30", "= 60")
      .replace('["a", "b"]', 'list("ab")')
      .replace('["NAMES"]', '["NAMES", "BASE"]')
      .replace("dict(BASE)", "BASE")
      .replace("lambda: 1", "lambda: 2")
      .replace("limit = 3", "limit = 1 + 2"),
  };
  const names = ["TIMEOUT", "NAMES", "__all__", "BASE", "OWN", "make", "Shop.limit", "GONE"];
  expect(await valuesOf(python, "lib.py", PYTHON, after, names)).toEqual({
    TIMEOUT: "30 → 60",
    NAMES: "same",
    __all__: "['NAMES'] → ['NAMES', 'BASE']",
    // One table under two names is not two tables.
    BASE: "{'a': 1} → {'a': 1} (OWN is the same object)",
    OWN: "{'a': 1} → {'a': 1} (BASE is the same object)",
    make: "its value holds code",
    "Shop.limit": "same",
  });
});

test("a table that holds the list of another name is not the same table", async () => {
  const holding = (list: string) => ({ ...PYTHON, "lib.py": PYTHON["lib.py"].replace("dict(BASE)", `{"n": ${list}}`) });
  const found = await valuesOf(python, "lib.py", holding('["a", "b"]'), holding("NAMES"), ["OWN"]);
  expect(found.OWN).toBe("{'n': ['a', 'b']} → {'n': ['a', 'b']} (NAMES is the same object)");
});

test.each([
  ["a file", "NAMES = [open('x.txt', 'w').close() or 'a', 'b']", "loading its module does something else than before"],
  ["another module of the project", "NAMES = [other.TABLE.setdefault('a', 'a'), 'b']", "something else of other"],
  ["a module of the language", "string.capwords = repr\nNAMES = ['a', 'b']", "something else of string"],
  ["the clock", "import time\nNAMES = [time.time_ns()]", "not the same twice"],
])("a value is not the same when making it touches %s", async (_, statement, why) => {
  const after = { "lib.py": PYTHON["lib.py"].replace('NAMES = ["a", "b"]', statement) };
  const found = await valuesOf(python, "lib.py", PYTHON, after, ["NAMES"]);
  expect(found.NAMES).toContain(why);
});

test("values of a module are compared, in JavaScript", async () => {
  const before = {
    "package.json": '{ "scripts": { "test": "node --test" } }\n',
    "lib.js": `const LIMIT = 3;
const NAMES = ["a", "b"];
const BASE = { a: 1 };
exports.pattern = /a+/g;
exports.make = () => LIMIT;
exports.use = () => [NAMES, BASE];
`,
    "lib.test.js": `const test = require("node:test");
const assert = require("node:assert");
const lib = require("./lib.js");
test("use", () => assert.equal(lib.use().length, 2));
`,
  };
  const names = ["LIMIT", "NAMES", "BASE", "exports.pattern", "exports.make"];
  const after = {
    "lib.js": before["lib.js"]
      .replace("= 3", "= 1 + 2")
      .replace('["a", "b"]', '"a b c".split(" ")')
      .replace("/a+/g", 'new RegExp("a+", "g")'),
  };
  expect(await valuesOf(javascript, "lib.js", before, after, names)).toEqual({
    LIMIT: "same",
    NAMES: "[ 'a', 'b' ] → [ 'a', 'b', 'c' ]",
    BASE: "same",
    "exports.pattern": "same",
    "exports.make": "its value holds code",
  });
  const patched = { "lib.js": before["lib.js"].replace("{ a: 1 }", "(Array.prototype.last = () => 1, { a: 1 })") };
  const found = await valuesOf(javascript, "lib.js", before, patched, ["BASE"]);
  expect(found.BASE).toContain("something else of the language itself");
  const behind = { "lib.js": before["lib.js"].replace("{ a: 1 }", "{ a: 1, __proto__: { b: 2 } }") };
  expect((await valuesOf(javascript, "lib.js", before, behind, ["BASE"])).BASE).not.toBe("same");
});
