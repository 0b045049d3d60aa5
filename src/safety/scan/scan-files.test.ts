import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { newFindings, scanFiles } from "./scan-files.ts";
import { loadScanRules, withPolicy } from "./scan-rules.ts";

const parsers = new SyntaxParsers();
const rules = await loadScanRules(join(import.meta.dirname, "../../.."));

const scan = (path: string, content: string) => scanFiles([{ path, content }], rules, parsers);
const blockingRules = async (path: string, content: string) =>
  (await scan(path, content)).filter(({ blocking }) => blocking).map(({ rule }) => rule);

describe("a finding", () => {
  test("tells rule, place, text and what to do instead", async () => {
    const [finding] = await scan("src/a.py", 'import os\nx = 1\ny = os.system("ls")\n');
    expect(finding).toMatchObject({
      rule: "python.os-system",
      kind: "code",
      severity: "high",
      path: "src/a.py",
      line: 3,
      column: 5,
      excerpt: 'os.system("ls")',
      blocking: true,
      cwe: "CWE-78",
    });
    expect(finding?.instead).toContain("subprocess.run");
  });

  test("comes in the order of path, place and rule", async () => {
    const files = [
      { path: "b.py", content: "eval(x)\n" },
      { path: "a.py", content: "x = 1\neval(x); exec(x)\n" },
    ];
    const places = (await scanFiles(files, rules, parsers)).map(({ path, line, column }) => [path, line, column]);
    expect(places).toEqual([
      ["a.py", 2, 1],
      ["a.py", 2, 10],
      ["b.py", 1, 1],
    ]);
  });

  test("is not made of characters that stand by chance in data", async () => {
    const hidden = "\u202e";
    const noise = `${"\ufffd".repeat(20)}${hidden}`;
    expect(await blockingRules("noise", noise)).toEqual([]);
    expect(await blockingRules("noise.py", `#${noise}`)).not.toEqual([]);
    expect(await blockingRules("README", `a ${hidden} b`)).not.toEqual([]);
  });

  test("never shows a secret that stands on its line", async () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const findings = await scan("a.py", `import os\nos.system("curl -H ${token}")\n`);
    expect(findings.map(({ rule }) => rule)).toContain("secret.github");
    expect(JSON.stringify(findings)).not.toContain(token);
  });
});

describe("what the scanner cannot read", () => {
  test("is named, and judged by its words", async () => {
    expect(await blockingRules("a.py", "def (:\n  __import__('os')\n")).toContain("python.broken");
    expect(await blockingRules("a.js", "function ( { \\u0065val(x)")).toContain("javascript.broken");
    expect((await scan("a.py", "def (:\n")).map(({ rule }) => rule)).toEqual(["python.broken.unreadable"]);
  });

  test("does not pass for being large, or for a byte that is no text", async () => {
    expect(await blockingRules("a.py", `x = 1\n${"#".repeat(1 << 20)}`)).toContain("file.large-code");
    expect(await blockingRules("a.js", "// \0\neval(x)")).toContain("javascript.eval");
    expect(await blockingRules("a.so", "\0ELF")).toEqual(["file.native"]);
  });

  test("ends also where following every call would not", async () => {
    // Each level asks the one below twice, with another text each time.
    const levels = Array.from({ length: 40 }, (_, i) => `f${i} = lambda a: f${i + 1}(a + "x") + f${i + 1}("y" + a)`);
    const chains = Array.from({ length: 3000 }, (_, i) => `f0("t${i}")`);
    const content = `${levels.join("\n")}\nf40 = lambda a: a\n${chains.join("\n")}\nx = y.popen\n(1)\n`;
    expect(Array.isArray(await scan("a.py", content))).toBe(true);
  });
});

test("files that run by being there are named", async () => {
  expect(await blockingRules("sitecustomize.py", "x = 1\n")).toEqual(["file.startup"]);
  expect(await blockingRules("lib/evil.pth", "import x\n")).toEqual(["file.startup"]);
  expect(await blockingRules("package.json", '{"scripts": {"postinstall": "node x.js"}}')).toEqual([
    "file.npm-scripts",
  ]);
  expect(await blockingRules("package.json", '{"scripts": {"test": "node --test"}}')).toEqual([]);
  expect(await blockingRules("tool", "#!/usr/bin/env python3\neval(input())\n")).toEqual(["python.eval"]);
});

test("invisible characters in code are findings, and letters of other languages are not", async () => {
  expect(await blockingRules("a.py", "ev\u200bal = 1\n")).toContain("text.invisible");
  expect(await blockingRules("a.go", "package a // \u202e\n")).toContain("text.direction");
  expect(await blockingRules("a.py", 'name = "Größe, 大きさ, حجم"\n')).toEqual([]);
});

describe("a policy", () => {
  const content = 'import os\nos.system("ls")\n';

  test("allows a rule for some paths, and only there", async () => {
    const own = withPolicy(rules, { rules: {}, allow: [{ rule: "python.os-system", paths: ["cli/**"] }] });
    const files = ["cli/a.py", "lib/a.py"].map((path) => ({ path, content }));
    expect((await scanFiles(files, own, parsers)).map(({ path }) => path)).toEqual(["lib/a.py"]);
  });

  test("changes severity and blocking; the rule's own name wins over its kind", async () => {
    const own = withPolicy(rules, {
      rules: { "python.os-system": { blocking: false }, "python.*": { blocking: true, severity: "low" } },
      allow: [],
    });
    const [finding] = await scanFiles([{ path: "a.py", content }], own, parsers);
    expect(finding).toMatchObject({ severity: "low", blocking: false });
  });
});

test("a source that two readers take differently may not run, whoever wrote it", async () => {
  const cases: [string, string][] = [
    ["a.py", "# end\rimport os\n"],
    ["a.js", "// end\u2028globalThis.x = 1;\n"],
    ["a.test.js", "// end\rf();\n"],
    ["bin/pay", "#!/usr/bin/env python3\n# coding: latin-1\nx = '€'\n"],
  ];
  for (const [path, content] of cases) {
    const found = (await scan(path, content)).filter(({ rule }) => rule === "text.odd-source");
    expect(found.map(({ blocking }) => blocking)).toEqual([true]);
    expect(found[0]?.message).toMatch(/differently: /);
  }
  expect(await scan("a.py", "# -*- coding: utf-8 -*-\r\nx = 'é'\r\n")).toEqual([]);
  expect(await scan("data.txt", "a\rb")).toEqual([]);
});

describe("new findings", () => {
  test("are not those whose line only moved", async () => {
    const before = await scan("a.py", "eval(x)\n");
    const after = await scan("a.py", "import json\n\n\neval(x)\n");
    expect(newFindings(before, after)).toEqual([]);
  });

  test("are those that there are more of than before", async () => {
    const before = await scan("a.py", "eval(x)\n");
    const after = await scan("a.py", "eval(x)\neval(x)\n");
    expect(newFindings(before, after).map(({ rule }) => rule)).toEqual(["python.eval"]);
    expect(newFindings(after, before)).toEqual([]);
  });

  test("are those of another file or another text", async () => {
    const before = await scan("a.py", "eval(x)\n");
    expect(newFindings(before, await scan("b.py", "eval(x)\n"))).toHaveLength(1);
    expect(newFindings(before, await scan("a.py", "eval(y)\n"))).toHaveLength(1);
  });
});

describe("whatever a file holds, the scan ends without an error", () => {
  const extension = fc.constantFrom("py", "js", "ts", "tsx", "go", "json", "txt");

  test("random text", async () => {
    await fc.assert(
      fc.asyncProperty(extension, fc.string({ unit: "binary", maxLength: 300 }), async (kind, content) => {
        expect(Array.isArray(await scan(`a.${kind}`, content))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("words of the languages in any order", async () => {
    const word = fc.constantFrom(
      ..."eval ( ) [ ] { } . , : = += \"ev\" 'al' + getattr builtins os system lambda x def f return import from as class => function const require globalThis new Function constructor `${ }` ... ?. for in of if else yield await async * ** % / @ \n \t".split(
        " ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(extension, fc.array(word, { maxLength: 60 }), async (kind, words) => {
        expect(Array.isArray(await scan(`a.${kind}`, words.join(" ")))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("nested a thousand deep", async () => {
    for (const [open, close] of ["()", "[]", "{}"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)) {
      const content = `x = ${open.repeat(3000)}eval${close.repeat(3000)}`;
      expect(Array.isArray(await scan("a.py", content))).toBe(true);
      expect(Array.isArray(await scan("a.js", content))).toBe(true);
    }
    expect(Array.isArray(await scan("a.py", `x = ${'"a" + '.repeat(5000)}"b"\n`))).toBe(true);
    expect(Array.isArray(await scan("a.js", `x = f${".g()".repeat(5000)}\n`))).toBe(true);
  });
});
