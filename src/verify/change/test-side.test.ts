import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { testSide } from "./test-side.ts";

const parsers = new SyntaxParsers();
const isTestFile = (path: string) =>
  /(^|\/)(test_[^/]*|[^/]*_test)\.py$|[.-](test|spec)(-d)?\.[jt]s$/.test(path) || /(^|\/)test\/.*\.js$/.test(path);

async function sides(files: Record<string, string>) {
  const paths = Object.keys(files);
  const read = (path: string) => files[path] ?? null;
  return Object.fromEntries(await testSide(parsers, { paths, read }, isTestFile, paths));
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
