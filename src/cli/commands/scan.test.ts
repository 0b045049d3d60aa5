import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fake-terminal.ts";
import { runCommandLine } from "../command-line.ts";
import { EXIT } from "../text/exit-codes.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-scan-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function scan(...words: string[]) {
  const terminal = fakeTerminal({ directory, env: { PATH: process.env.PATH ?? "" } });
  const code = await runCommandLine(["scan", ...words], terminal);
  return { code, output: terminal.outputs(), errors: terminal.errors() };
}

test("says what blocks, where, and what to do instead", async () => {
  mkdirSync(join(directory, "src"));
  writeFileSync(join(directory, "src/a.py"), "x = 1\ny = eval(input())\n");
  const { code, output } = await scan(".");
  expect(code).toBe(EXIT.notProven);
  expect(output).toContain("src/a.py\n  2:5     python.eval (critical, blocks) CWE-95\n          eval(input())\n");
  expect(output).toContain("instead: parse the input");
  expect(output).toContain("1 file scanned: 1 finding, 1 blocking");
});

test("ends well where nothing blocks, without entering dependencies or following links", async () => {
  writeFileSync(join(directory, "a.py"), "import random\nrandom.random()\n");
  mkdirSync(join(directory, "node_modules"));
  writeFileSync(join(directory, "node_modules/b.js"), "eval(x)");
  symlinkSync("/etc/passwd", join(directory, "link.py"));
  const { code, output } = await scan(".", "--json");
  expect(code).toBe(EXIT.done);
  const report: { files: number; findings: { rule: string }[] } = JSON.parse(output);
  expect(report.files).toBe(1);
  expect(report.findings.map(({ rule }) => rule)).toEqual(["python.random"]);
});

const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd: directory });

test("--base leaves out what was there before", async () => {
  git("init", "-q");
  writeFileSync(join(directory, "a.py"), "eval(x)\n");
  git("add", "a.py");
  git("commit", "-q", "-m", "base");
  writeFileSync(join(directory, "a.py"), "import json\neval(x)\n");
  expect((await scan("a.py", "--base", "HEAD")).code).toBe(EXIT.done);
  writeFileSync(join(directory, "a.py"), "eval(x)\nexec(x)\n");
  const { code, output } = await scan("a.py", "--base", "HEAD");
  expect(code).toBe(EXIT.notProven);
  expect(output).toContain("exec(x)");
  expect(output).not.toContain("eval(x)\n");
  expect((await scan("a.py", "--base", "nothing")).code).toBe(EXIT.badInput);
});

test("--base works in a worktree, whose .git is a file", async () => {
  git("init", "-q");
  writeFileSync(join(directory, "a.py"), "eval(x)\n");
  git("add", "a.py");
  git("commit", "-q", "-m", "base");
  git("worktree", "add", "-q", "tree");
  const terminal = fakeTerminal({ directory: join(directory, "tree"), env: { PATH: process.env.PATH ?? "" } });
  expect(await runCommandLine(["scan", "a.py", "--base", "HEAD"], terminal)).toBe(EXIT.done);
});

test("a path that is not there is bad input", async () => {
  const { code, errors } = await scan("missing.py");
  expect(code).toBe(EXIT.badInput);
  expect(errors).toBe("miracle: missing.py does not exist\n");
});
