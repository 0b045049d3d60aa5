import { join } from "node:path";
import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { scanFiles } from "./scan-files.ts";
import { loadScanRules, withPolicy } from "./scan-rules.ts";

const rules = await loadScanRules(join(import.meta.dirname, "../../.."));
const blocking = async (path: string, content: string, strict: boolean) => {
  const under = strict ? withPolicy(rules, { rules: {}, allow: [], strict }) : rules;
  const found = await scanFiles([{ path, content }], under, new SyntaxParsers());
  return found.filter((finding) => finding.blocking).map(({ rule }) => rule);
};

test.each([
  ["a.py", "import os\n", "python.strict.import"],
  ["a.py", "from os import path\n", "python.strict.import"],
  ["a.py", "import subprocess as s\n", "python.strict.import"],
  ["a.py", "import ctypes\n", "python.strict.import"],
  ["a.py", 'compile("1", "a", "eval")\n', "python.strict.compile"],
  ["a.py", '__import__("json")\n', "python.strict.compile"],
  ["a.py", 'from subprocess import run\nrun("ls", shell=True)\n', "python.strict.shell"],
  ["a.js", 'import { execFile } from "node:child_process";\n', "javascript.strict.import"],
  [
    "a.go",
    'package a\n\nimport "os/exec"\n\nfunc Run() error { return exec.Command("ls").Run() }\n',
    "go.strict.import",
  ],
])("strict blocks what has its uses elsewhere: %s %j", async (path, content, rule) => {
  expect(await blocking(path, content, true)).toContain(rule);
  expect(await blocking(path, content, false)).toEqual([]);
});

test("strict leaves ordinary code alone, and a path may be allowed", async () => {
  expect(await blocking("a.py", "import json\nfrom pathlib import Path\n", true)).toEqual([]);
  const allow = [{ rule: "python.strict.*", paths: ["tools/**"] }];
  const under = withPolicy(rules, { rules: {}, allow, strict: true });
  expect(await scanFiles([{ path: "tools/a.py", content: "import os\n" }], under, new SyntaxParsers())).toEqual([]);
});
