import { expect, test } from "vitest";
import { lockChanges, locksOf } from "./test-config.ts";
import { readToml, sharedFile } from "./test-settings.ts";

const changes = (path: string, before: string, after: string) =>
  lockChanges(locksOf(path, before), locksOf(path, after)).map(({ field, change }) => `${change} ${field ?? path}`);

const restored = (path: string, before: string, after: string) => sharedFile(path)?.restored(before, after) ?? "";

test("a setting of pytest is the same however it is written, and found wherever it stands", () => {
  const usual = '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const inline = 'tool = { pytest = { ini_options = { addopts = "-q" } } }\n[project]\nname = "x"\n';
  expect(changes("pyproject.toml", usual, inline)).toEqual([]);
  expect(changes("pyproject.toml", usual, inline.replace("-q", "-k not"))).toEqual(["changed tool.pytest.ini_options"]);
  const inText = `${usual}\n[tool.x]\nhelp = """\n[tool.pytest.ini_options]\naddopts = "-x"\n"""\n`;
  expect(changes("pyproject.toml", usual, inText)).toEqual([]);
});

test("what the code says stays as it is, what is said of tests is the old", () => {
  const before = '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const after = 'tool.pytest.ini_options.addopts = "-k nothing"\ntool.ruff.line-length = 100\n[project]\nname = "y"\n';
  expect(readToml(restored("pyproject.toml", before, after))).toEqual({
    project: { name: "y" },
    tool: { pytest: { ini_options: { addopts: "-q" } }, ruff: { "line-length": 100 } },
  });
  expect(readToml(restored("pyproject.toml", '[project]\nname = "x"\n', before))).toEqual({
    project: { name: "x" },
    tool: {},
  });
  expect(restored("tox.ini", "[pytest]\nxfail_strict = true\n", "[flake8]\na = 1\n[pytest]\naddopts =\n  -x\n")).toBe(
    "[flake8]\na = 1\n\n[pytest]\nxfail_strict = true\n",
  );
});

test("an indented header is a value, not a section", () => {
  const text = "[metadata]\ndescription =\n  [tool:pytest]\n";
  expect(changes("setup.cfg", "[metadata]\n", text)).toEqual([]);
  expect(changes("setup.cfg", "[tool:pytest]\na=1\n", "[tool:pytest]\n# why\na = 1\n")).toEqual([]);
});

test("a script that the test script runs is one of the tests', and what modules are is not", () => {
  const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
  const before = manifest({ test: "npm run unit", unit: "mocha", build: "tsc" });
  expect(changes("package.json", before, manifest({ test: "npm run unit", unit: "true", build: "x" }))).toEqual([
    "changed scripts.unit",
  ]);
  expect(
    changes("package.json", before, manifest({ test: "npm run unit", unit: "mocha" }, { type: "module", imports: {} })),
  ).toEqual([]);
  const after = manifest(
    { test: "npm run evil", unit: "true", evil: "true", posttest: "x" },
    { type: "module", jest: {} },
  );
  expect(JSON.parse(restored("package.json", before, after))).toEqual({
    type: "module",
    scripts: { evil: "true", test: "npm run unit", unit: "mocha" },
  });
});
