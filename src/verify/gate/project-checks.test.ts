import { describe, expect, test } from "vitest";
import { checkCommands, compareCheck, complaints, forTester, isUnavailable } from "./project-checks.ts";

const commands = (files: Record<string, string>) =>
  checkCommands(
    (path) => files[path] ?? null,
    (path) => path in files,
  );

test("a project's own scripts and configured tools are its checks", () => {
  expect(commands({})).toEqual([]);
  expect(commands({ "package.json": '{"scripts":{"lint":"x","typecheck":"y"}}', "tsconfig.json": "{}" })).toEqual([
    'export PATH="$PWD/node_modules/.bin:$PATH"; x',
    'export PATH="$PWD/node_modules/.bin:$PATH"; y',
  ]);
  expect(commands({ "tsconfig.json": "{}", "package.json": "not json" })).toEqual([
    "node_modules/.bin/tsc --noEmit -p .",
  ]);
  expect(commands({ "go.mod": "module x\n" })).toEqual(["go vet ./..."]);
  expect(commands({ "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n" })).toEqual([
    "ruff check --no-cache .",
    "mypy --cache-dir=/dev/null .",
  ]);
});

test("only what is new counts, wherever it has moved to", () => {
  const before = complaints("a.py:3:1 unused import\nFound 1 error.");
  const check = { command: "ruff check .", before };
  expect(compareCheck(check, false, "a.py:9:1 unused import\nFound 1 error.").passed).toBe(true);
  expect(compareCheck(check, false, "a.py:9:1 unused import\nb.py:1:1 undefined name\nFound 2 errors.")).toMatchObject({
    passed: false,
    fresh: ["b.py:1:1 undefined name"],
  });
  expect(compareCheck({ ...check, before: [] }, false, "anything").passed).toBe(false);
  expect(compareCheck(check, true, "").passed).toBe(true);
});

test("a tool that is missing says nothing", () => {
  expect(isUnavailable(127, "")).toBe(true);
  expect(isUnavailable(1, "bash: ruff: command not found")).toBe(true);
  expect(isUnavailable(1, "/usr/bin/python3: No module named pyflakes")).toBe(true);
  expect(isUnavailable(1, "a.py:1:1 unused")).toBe(false);
});

describe("tools of the language, for a project that configures none", () => {
  const isTest = (path: string) => /test/.test(path);
  const said = (output: string, before: string[] = []) =>
    compareCheck({ command: "x", before, ofLanguage: true }, false, output, isTest);

  test("speak of the code, not of the given tests", () => {
    expect(said("./calc.py:1:1: 're' imported but unused\nFound 1 error.").passed).toBe(false);
    expect(said("tests/test_calc.py:1:1: F401 `re` imported but unused\nFound 1 error.").passed).toBe(true);
    expect(said("There are no .py[i] files in directory '.'").passed).toBe(true);
  });

  test("show all lines of a complaint", () => {
    const lines = ["*** Error compiling './a.py'...", 'File "./a.py", line 1', "SyntaxError: invalid escape sequence"];
    const ofTest = lines.map((line) => line.replace("a.py", "test_a.py"));
    expect(said([...ofTest, ...lines].join("\n")).fresh).toEqual(lines);
  });

  test("name a file by its whole path, too", () => {
    const lines = ["/workspace/src/later.js:1", "export const later = ;", "SyntaxError: Unexpected token ';'"];
    expect(said(lines.join("\n")).fresh).toEqual(lines);
    expect(said(lines.join("\n").replace("src/later", "test/later")).passed).toBe(true);
  });

  test("are not believed about a file whose imports they cannot read", () => {
    const unread = "src/a.ts(1,20): error TS2307: Cannot find module 'node:fs' or its type declarations.";
    const follows = "src/a.ts(3,9): error TS7006: Parameter 'line' implicitly has an 'any' type.";
    const other = "src/b.ts(2,3): error TS2322: Type 'string' is not assignable to type 'number'.";
    expect(said([unread, follows].join("\n")).passed).toBe(true);
    expect(said([unread, follows, other].join("\n")).fresh).toEqual([other]);
  });

  test("are not named to the tester", () => {
    const own = { command: "own", before: [] };
    expect(forTester([own, { command: "x", before: [], ofLanguage: true }])).toEqual(["own"]);
  });
});
