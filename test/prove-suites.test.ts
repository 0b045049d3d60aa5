import { expect, test } from "vitest";
import { proveChange } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

const PYTHON = {
  "cart.py": "def total(prices):\n    return sum(prices)\n",
  "test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
};
const SCRIPT = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "web/cart.js": "export const total = (prices) => prices.reduce((a, b) => a + b, 0);\n",
  "web/cart.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { total } from "./cart.js";\n\ntest("total", () => assert.equal(total([1, 2]), 3));\n',
};

test("tests of every language are run: what breaks in the other one is seen", async () => {
  const repository = new SampleRepository({ ...PYTHON, ...SCRIPT });
  const fix = {
    "cart.py": "def total(prices):\n    return sum(prices or [])\n",
    "test_cart.py": `${PYTHON["test_cart.py"]}\n\ndef test_none():\n    assert total(None) == 0\n`,
  };
  repository.write({ ...fix, "web/cart.js": SCRIPT["web/cart.js"].replace("a + b", "a - b") });
  const broken = await proveChange(repository.directory, { budgetMs: 0 });
  expect(broken.tests.map(({ id, role }) => `${id} ${role}`)).toEqual([
    "test_cart.py::test_none red-to-green",
    "test_cart.py::test_total held",
    "web/cart.test.js::total broken",
  ]);
  expect(broken.verdict.status).not.toBe("proven");
});

test("the result is run with the settings of the base, and the change's own are named", async () => {
  const repository = new SampleRepository({ ...PYTHON, "pytest.ini": "[pytest]\n" });
  repository.write({
    "cart.py": "def total(prices):\n    return 3\n",
    "test_more.py": "from cart import total\n\n\ndef test_four():\n    assert total([4]) == 4\n",
    "pytest.ini": "[pytest]\naddopts = --deselect test_more.py::test_four\n",
  });
  const { tests, integrity } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(tests.find(({ id }) => id === "test_more.py::test_four")?.role).toBe("red");
  expect(integrity.map(({ code, path }) => [code, path])).toEqual([["config.changed", "pytest.ini"]]);
});

test("files that git ignores and tests need are laid into both trees, and a note says so", async () => {
  const repository = new SampleRepository({
    ...PYTHON,
    "cart.py": `from _version import VERSION\n\n\n${PYTHON["cart.py"]}`,
    ".gitignore": "_version.py\n.env\n.venv/\n",
  });
  repository.write({
    "_version.py": "VERSION = 1\n",
    ".env": "TOKEN=x\n",
    ".venv/x.py": "",
    "cart.py": `from _version import VERSION\n\n\ndef total(prices):\n    return sum(prices or [])\n`,
    "test_cart.py": `${PYTHON["test_cart.py"]}\n\ndef test_none():\n    assert total(None) == 0\n`,
  });
  const { tests, notes } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(tests.map(({ id, role }) => `${id} ${role}`)).toEqual([
    "test_cart.py::test_none red-to-green",
    "test_cart.py::test_total held",
  ]);
  expect(notes).toEqual(["the tests run only with files that git ignores: _version.py are in both trees"]);
});

test.each([
  ["app/specs/price.py", "def vat(net):\n    return net * 0.19\n", "0.19", "9"],
  ["ab_test.py", 'def variant(user):\n    return "a" if user % 2 else "b"\n', 'if user % 2 else "b"', ""],
])("%s is a source, whatever it is called: its change is not judged", async (path, code, from, to) => {
  const repository = new SampleRepository({
    ...PYTHON,
    "app/__init__.py": "",
    "app/specs/__init__.py": "",
    [path]: code,
  });
  repository.write({ [path]: code.replace(from, to) });
  const { verdict, change } = await proveChange(repository.directory);
  expect(change.files).toEqual([{ path, change: "modified", part: "source" }]);
  expect(verdict.status).not.toBe("proven");
  expect(verdict.status).not.toBe("checked");
});

test("data that tests alone open is theirs, and data that code opens is not, wherever they stand", async () => {
  const repository = new SampleRepository({
    "show.py":
      'from pathlib import Path\n\n\ndef show():\n    name = "rat" + "es.csv"\n    return (Path(__file__).parent / "tests" / name).read_text()\n',
    "tests/rates.csv": "1\n",
    "expected/one.out": "1\n",
    "tests/test_show.py":
      'from pathlib import Path\n\nfrom show import show\n\n\ndef test_show():\n    name = "on" + "e.out"\n    assert show() == (Path("expected") / name).read_text()\n',
  });
  repository.write({ "tests/rates.csv": "2\n", "expected/one.out": "2\n" });
  const { change } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(Object.fromEntries(change.files.map(({ path, part }) => [path, part]))).toEqual({
    "tests/rates.csv": "other",
    "expected/one.out": "test-support",
  });
});

test("the same in JavaScript", async () => {
  const read = (place: string) => `readFileSync(new URL(${place}, import.meta.url), "utf8")`;
  const repository = new SampleRepository({
    "package.json": SCRIPT["package.json"],
    "show.js": `import { readFileSync } from "node:fs";\nexport const show = () => ${read('"./test/rat" + "es.csv"')};\n`,
    "test/rates.csv": "1\n",
    "expected/one.out": "1\n",
    "test/show.test.js": `import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nimport { test } from "node:test";\nimport { show } from "../show.js";\n\ntest("show", () => assert.equal(show(), ${read('"../expected/on" + "e.out"')}));\n`,
  });
  repository.write({ "test/rates.csv": "2\n", "expected/one.out": "2\n" });
  const { change } = await proveChange(repository.directory, { budgetMs: 0 });
  expect(Object.fromEntries(change.files.map(({ path, part }) => [path, part]))).toEqual({
    "test/rates.csv": "other",
    "expected/one.out": "test-support",
  });
});
