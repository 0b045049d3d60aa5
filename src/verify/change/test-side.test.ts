import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { testSide } from "./test-side.ts";

const parsers = new SyntaxParsers();
const isTestFile = (path: string) =>
  /(^|\/)(test_[^/]*|[^/]*_test)\.py$|[.-](test|spec)(-d)?\.[jt]s$/.test(path) || /(^|\/)test\/.*\.js$/.test(path);

async function sides(files: Record<string, string>) {
  const paths = Object.keys(files);
  const read = (path: string) => files[path] ?? null;
  return Object.fromEntries((await testSide(parsers, { paths, read }, isTestFile, paths)).tests);
}

async function codes(files: Record<string, string>) {
  const paths = Object.keys(files);
  return [...(await testSide(parsers, { paths, read: (path) => files[path] ?? null }, isTestFile, paths)).code];
}

const TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n";

test("a name or a folder alone makes no test: it must hold tests, or stand among them", async () => {
  expect(
    await sides({
      "cart.py": "def total(x):\n    return sum(x)\n",
      "test_cart.py": TEST,
      "ab_test.py": "def variant(user):\n    return 'a'\n",
      "app/specs/price.py": "def vat(net):\n    return net\n",
      "app/specs/rates.json": "{}",
      "tests/test_more.py": TEST,
      "tests/helpers.py": "def make():\n    return 1\n",
      "tests/data/answer.json": "{}",
      "testing_utils.py": "def f():\n    pass\n",
    }),
  ).toEqual({
    "test_cart.py": "test",
    "tests/test_more.py": "test",
    "tests/helpers.py": "test-support",
    "tests/data/answer.json": "test-support",
  });
});

test("what code imports or names is code's, wherever it stands", async () => {
  expect(
    await sides({
      "app/tests/test_a.py": TEST,
      "app/tests/price.py": "RATE = 1\n",
      "app/tests/rates.json": "{}",
      "app/main.py": 'from .tests import price\nopen("rates.json")\n',
      "app/tests/more.py": "X = 1\n",
    }),
  ).toEqual({ "app/tests/test_a.py": "test", "app/tests/more.py": "test-support" });
  expect(
    await sides({
      "test/a.test.js": 'import t from "node:test";\nt.test("a", () => {});\ntest("b", () => {});\n',
      "test/shared.js": "export const x = 1;\n",
      "test/own.js": "export const y = 1;\n",
      "src/a.js": 'import { x } from "../test/shared.js";\n',
      "src/a.test-d.ts": "expectType<string>(a);\n",
      "src/b.spec.js": "export const helper = 1;\n",
    }),
  ).toEqual({ "test/a.test.js": "test", "test/own.js": "test-support", "src/a.test-d.ts": "test" });
});

test("a helper that only tests import is theirs", async () => {
  const helper = {
    "test_a.py": `from testing_utils import f\n\n\n${TEST}`,
    "testing_utils.py": "def f():\n    pass\n",
  };
  expect(await sides(helper)).toEqual({ "test_a.py": "test", "testing_utils.py": "test-support" });
  expect(await sides({ ...helper, "cart.py": "import testing_utils\n" })).toEqual({ "test_a.py": "test" });
  const shipped = { "shop/__init__.py": "", "shop/testing.py": "X = 1\n" };
  expect(await sides({ ...shipped, "test_a.py": `from shop.testing import X\n\n\n${TEST}` })).toEqual({
    "test_a.py": "test",
  });
});

test("stored answers beside tests are theirs", async () => {
  const files = { "src/a.test.js": 'test("a", () => {});\n', "src/__snapshots__/a.test.js.snap": "exports[`a 1`] = 1" };
  expect(await sides(files)).toEqual({ "src/a.test.js": "test", "src/__snapshots__/a.test.js.snap": "test-support" });
});

test("what a manifest, an alias or a module's name gives to others is no test's", async () => {
  const spec = { "spec/price.py": "def vat(net):\n    return net\n", "spec/test_zero.py": TEST };
  expect(await sides(spec)).toEqual({ "spec/price.py": "test-support", "spec/test_zero.py": "test" });
  const alone = { "spec/test_zero.py": "test" };
  expect(await sides({ ...spec, "pyproject.toml": '[project.scripts]\nvat = "spec.price:main"\n' })).toEqual(alone);
  expect(await sides({ ...spec, "app.py": 'load = import_module("spec.price")\n' })).toEqual(alone);

  const script = { "spec/price.js": "export const vat = 1;\n", "spec/a.test.js": 'test("a", () => {});\n' };
  const theirs = { "spec/a.test.js": "test" };
  expect(await sides({ ...script, "main.js": 'import { vat } from "#spec/price.js";\n' })).toEqual(theirs);
  expect(await sides({ ...script, "package.json": '{ "exports": { "./price": "./spec/price.js" } }' })).toEqual(theirs);
  expect(await sides({ ...script, "package.json": '{ "imports": { "#a/*": "./spec/*" } }' })).toEqual(theirs);
  expect(await sides({ ...script, "package.json": '{ "scripts": { "test": "node spec/price.js" } }' })).toEqual({
    ...theirs,
    "spec/price.js": "test-support",
  });
});

test("a package of Go is code, though its tests stand beside it", async () => {
  const go = { "spec/price.go": "package spec\n", "spec/price_test.go": "package spec\n" };
  const isTest = (path: string) => path.endsWith("_test.go");
  const sidesOf = async (files: Record<string, string>) => {
    const project = { paths: Object.keys(files), read: (path: string) => files[path] ?? null };
    return Object.fromEntries((await testSide(parsers, project, isTest, Object.keys(go))).tests);
  };
  expect(await sidesOf(go)).toEqual({ "spec/price_test.go": "test" });
  const tested = { ...go, "a_test.go": 'package a\n\nimport "example.com/a/spec"\n' };
  expect(await sidesOf(tested)).toEqual({ "spec/price_test.go": "test", "spec/price.go": "test-support" });
  const used = { ...tested, "cmd/main.go": 'package main\n\nimport (\n\t"example.com/a/spec"\n)\n' };
  expect(await sidesOf(used)).toEqual({ "spec/price_test.go": "test" });
});

test("data of a folder that code reads as a whole is code's, and what is deployed is no test's", async () => {
  const data = { "test_a.py": TEST, "fixtures/prices.json": "[]" };
  const alone = { "test_a.py": "test" };
  expect(await sides(data)).toEqual({ ...alone, "fixtures/prices.json": "test-support" });
  expect(await sides({ ...data, "seed.py": 'read(HERE / "fixtures" / f"{name}.json")\n' })).toEqual(alone);
  expect(await sides({ ...data, "a.go": "package a\n\n//go:embed fixtures\nvar Files embed.FS\n" })).toEqual(alone);
  expect(await sides({ "tests/test_a.py": TEST, "tests/Dockerfile": "FROM x\n" })).toEqual({
    "tests/test_a.py": "test",
  });
});

test("settings of tests that code imports are known", async () => {
  const conftest = { "conftest.py": "RATE = 1\n", "test_a.py": TEST };
  expect(await codes(conftest)).toEqual([]);
  expect(await codes({ ...conftest, "tax.py": "from conftest import RATE\n" })).toEqual(["conftest.py"]);
});
