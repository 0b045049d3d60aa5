import { expect, test } from "vitest";
import { checkCommands, compareCheck, complaints, isUnavailable } from "./project-checks.ts";

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
  expect(isUnavailable(1, "a.py:1:1 unused")).toBe(false);
});
