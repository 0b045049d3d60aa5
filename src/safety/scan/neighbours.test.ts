import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules } from "./scan-rules.ts";

const parsers = new SyntaxParsers();
const rules = await loadScanRules(join(import.meta.dirname, "../../.."));

/** What blocks, as `path:line rule`. */
async function stopped(files: Record<string, string>): Promise<string[]> {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }));
  return (await scanFiles(list, rules, parsers))
    .filter(({ blocking }) => blocking)
    .map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

describe("a dangerous name is followed into the file that uses it", () => {
  test.each([
    ["from .shell import run as r\nr(x)", "app/shell.py", "from os import system as run"],
    ["from app.shell import run\nrun(x)", "app/shell.py", "from os import system as run"],
    ["import shell\nshell.run(x)", "app/shell.py", "from os import system as run"],
    ["from . import shell as s\ns.run(x)", "app/shell.py", "from os import system as run"],
    ["from .shell import *\nrun(x)", "app/shell.py", "from os import system as run"],
    ["from ..shell import run\nrun(x)", "shell.py", "from os import system as run"],
    ["from .shell import run\nrun(x)", "app/shell/__init__.py", "from os import system as run"],
    ["from .names import A, B\n__import__(A + B)", "app/names.py", 'A = "o"\nB = "s"'],
  ])("%s", async (main, path, other) => {
    expect(await stopped({ "app/main.py": main })).toEqual([]);
    const found = await stopped({ "app/main.py": main, [path]: other });
    expect(found.some((one) => one.startsWith("app/main.py"))).toBe(true);
  });

  test.each([
    ['import { run as r } from "./shell.js"; r(x);', 'export { execSync as run } from "node:child_process";'],
    [
      'import * as s from "./shell.js"; s.run(x);',
      'import { execSync } from "child_process"; export { execSync as run };',
    ],
    ['const { run } = require("./shell"); run(x);', 'module.exports = { run: require("child_process").execSync };'],
    ['require("./shell.js").run(x);', 'exports.run = require("child_process").execSync;'],
    ['import run from "./shell.js"; run(x);', 'import { execSync } from "child_process"; export default execSync;'],
  ])("%s", async (main, other) => {
    expect(await stopped({ "src/main.js": main })).toEqual([]);
    const found = await stopped({ "src/main.js": main, "src/shell.js": other });
    expect(found.some((one) => one.startsWith("src/main.js"))).toBe(true);
  });

  test("through a file between them", async () => {
    const files = {
      "a.py": "from b import go\ngo(x)",
      "b.py": "from c import run as go",
      "c.py": "from os import system as run",
    };
    expect(await stopped(files)).toContain("a.py:2 python.os-system");
  });
});

test("files that import each other in a circle are read to the end", async () => {
  expect(await stopped({ "a.py": "from b import x\nx()", "b.py": "from a import x" })).toEqual([]);
});

test("a file with the name of a module does not stand in for it", async () => {
  const files = { "os.py": "system = print", "main.py": "import os\nos.system(x)" };
  expect(await stopped(files)).toContain("main.py:2 python.os-system");
});

test("an ordinary name from another file is no finding", async () => {
  expect(await stopped({ "a.py": "from b import run\nrun(x)", "b.py": "def run(x): return x" })).toEqual([]);
});
