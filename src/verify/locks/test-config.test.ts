import { expect, test } from "vitest";
import { isTestConfig, isTestSupport, lockChanges, locksOf } from "./test-config.ts";

const changes = (path: string, before: string, after: string) =>
  lockChanges(locksOf(path, before), locksOf(path, after)).map(({ field, change }) => `${change} ${field ?? path}`);

test("of a shared file only the fields about tests are locked", () => {
  const manifest = (scripts: object, more: object = {}) => JSON.stringify({ name: "x", scripts, ...more });
  const before = manifest({ test: "vitest", build: "tsc" });
  expect(changes("package.json", before, manifest({ test: "vitest", build: "esbuild" }, { version: "2" }))).toEqual([]);
  expect(changes("package.json", before, manifest({ test: "true", build: "tsc" }))).toEqual(["changed scripts.test"]);
  expect(changes("package.json", before, manifest({ test: "vitest", pretest: "rm -r test" }, { jest: {} }))).toEqual([
    "added jest",
    "added scripts.pretest",
  ]);
  const project = '[project]\nname = "x"\n';
  const pytest = "[tool.pytest.ini_options]\naddopts = '-q'\n";
  expect(changes("pyproject.toml", project + pytest, project.replace("x", "y") + pytest)).toEqual([]);
  expect(changes("pyproject.toml", project + pytest, project + pytest.replace("-q", "-k not_slow"))).toEqual([
    "changed tool.pytest.ini_options",
  ]);
  expect(changes("pyproject.toml", project, `tool.pytest.ini_options.addopts = "-x"\n${project}`)).toEqual([
    "added tool.pytest.ini_options",
  ]);
  expect(changes("pyproject.toml", project, `${project}[ "tool" . "pytest" . "ini_options" ]\nx = 1\n`)).toEqual([
    "added tool.pytest.ini_options",
  ]);
  expect(changes("setup.cfg", "[metadata]\na = 1\n", "[metadata]\na = 2\n[tool:pytest]\naddopts = -x\n")).toEqual([
    "added tool:pytest",
  ]);
  expect(changes("tox.ini", "[flake8]\na = 1\n[pytest]\n", "[flake8]\na = 2\n[pytest]\n")).toEqual([]);
});

test("files that are no code of the project and steer tests are locked whole", () => {
  expect(changes("a/conftest.py", "x\n", "x \n")).toEqual(["changed a/conftest.py"]);
  for (const path of [
    "pytest.ini",
    "jest.config.ts",
    "vitest.config.mjs",
    ".mocharc.yml",
    "sitecustomize.py",
    "x.pth",
    "pytest.py",
    "src/_pytest/__init__.py",
  ])
    expect([path, isTestConfig(path)]).toEqual([path, true]);
  for (const path of ["src/config.py", "src/a.ts", "README.md", "py/bank.py"])
    expect([path, isTestConfig(path)]).toEqual([path, false]);
});

test("what stands beside tests is support of theirs", () => {
  expect(["testing_utils.py", "lib/assertions.js", "latest.py", "contest.js"].map(isTestSupport)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(["tests/data.json", "src/__snapshots__/a.snap", "contest/a.py"].map(isTestSupport)).toEqual([
    true,
    true,
    false,
  ]);
});

test("a file that cannot be read is locked whole", () => {
  expect(locksOf("package.json", "{")).toHaveLength(1);
  expect(changes("pyproject.toml", "[tool.pytest]\na = 1\n", "[tool.pytest\n")).toEqual([
    "added pyproject.toml",
    "removed tool.pytest.a",
  ]);
});
