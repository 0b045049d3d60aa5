import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LanguageName } from "../domain/plan/spec.ts";
import { grammarOf, SyntaxParsers } from "../syntax/parse.ts";
import { CONTROL_COMMENTS } from "./language.ts";
import { MUTATIONS } from "./mutations-of.ts";
import { openLanguages } from "./open-languages.ts";
import { TEST_SYNTAX } from "./test-syntax-of.ts";

/*
 * What docs/languages.md promises of every language. A new one needs a line here: a test that is sharp and one that is
 * not, and code with something to mutate.
 */

interface Sample {
  extension: string;
  code: string;
  /** Two tests: the first compares `add` with 42, the second asserts nothing. */
  tests: string;
  names: [string, string];
}

const NODE_TESTS =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "./calc";\n\ntest("sharp", () => {\n  assert.equal(add(40, 2), 42);\n});\ntest("dull", () => {\n  add(1, 2);\n});\n';

const SAMPLES: Record<LanguageName, Sample> = {
  python: {
    extension: "py",
    code: "def add(a, b):\n    return a + b\n",
    tests:
      "from calc import add\n\n\ndef test_sharp():\n    assert add(40, 2) == 42\n\n\ndef test_dull():\n    add(1, 2)\n",
    names: ["test_sharp", "test_dull"],
  },
  javascript: {
    extension: "js",
    code: "export const add = (a, b) => a + b;\n",
    tests: NODE_TESTS,
    names: ["sharp", "dull"],
  },
  typescript: {
    extension: "ts",
    code: "export const add = (a: number, b: number): number => a + b;\n",
    tests: NODE_TESTS,
    names: ["sharp", "dull"],
  },
  go: {
    extension: "go",
    code: "package calc\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n",
    tests:
      'package calc\n\nimport "testing"\n\nfunc TestSharp(t *testing.T) {\n\tif got := Add(40, 2); got != 42 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\nfunc TestDull(t *testing.T) { Add(1, 2) }\n',
    names: ["TestSharp", "TestDull"],
  },
};

const parsers = new SyntaxParsers();
const languages = openLanguages({ env: {}, execPath: process.execPath, version: process.version });
const EMPTY = { has: () => false, hasDirectory: () => false, read: () => null, list: () => [] };

describe.each(LanguageName.options)("%s", (name) => {
  const language = languages.named(name);
  const { extension, code, tests, names } = SAMPLES[name];
  const grammar = grammarOf(`a.${extension}`);
  if (grammar === null) throw new Error(`no grammar reads .${extension}`);
  const syntax = TEST_SYNTAX[grammar];

  test("has a folder with what the port asks for", () => {
    const folder = join(import.meta.dirname, name);
    expect(existsSync(join(folder, `${name}.ts`))).toBe(true);
    expect(language.name).toBe(name);
    expect(CONTROL_COMMENTS[name]).toMatch(/^\n\S.*\n$/);
    const page = readFileSync(join(import.meta.dirname, "../../docs/languages.md"), "utf8");
    expect(page.toLowerCase()).toContain(`\n| ${name} |`);
  });

  test("recognises its own projects, its tests and where they belong", () => {
    const paths = [`calc.${extension}`, `other.${extension}`];
    expect(languages.detect(paths)?.name).toBe(name);
    expect(languages.detect([...language.scaffold().map(({ path }) => path), ...paths])?.name).toBe(name);
    const path = language.testPath("split-bill", paths);
    expect(path.endsWith(`.${extension}`)).toBe(true);
    expect([path, `calc.${extension}`].map((one) => language.isTestFile(one))).toEqual([true, false]);
    expect(language.isTestFile(syntax.disguisedPath(path, "0123456789ab"))).toBe(true);
  });

  test("runs named tests and the whole suite, and never reads a forged report as a pass", () => {
    const path = language.testPath("split-bill", []);
    const result = {
      ending: "exited",
      exitCode: 0,
      signal: null,
      stdout: "",
      stderr: "",
      truncated: false,
      durationMs: 1,
    } as const;
    const runs = [language.testRun([path]), language.testRun([])];
    expect(runs[0]?.argv.join(" ")).toContain(path);
    expect(new Set(runs.map(({ reportFile }) => reportFile)).size).toBe(2);
    for (const run of runs) {
      for (const text of [null, "", "{}", "null\n[]", '{"type":"test"}', "x\ty\tz\n".repeat(3)])
        expect(language.parseReport(text, result, run)).toMatchObject({ tests: [] });
    }
  });

  test("reads its tests, and what they expect", async () => {
    const { root } = await parsers.parse(grammar, tests);
    const found = syntax.tests(tests, root);
    expect(found.map((one) => one.name)).toEqual(names);
    const altered = found.map(({ node }) => syntax.alterExpectations(tests, node));
    expect(altered[0]?.map(({ from, to }) => tests.slice(from, to))).toEqual(["42"]);
    expect(altered[1]).toEqual([]);
    const uses = syntax.uses(tests, root, new Set());
    expect(uses.tests.map((one) => one.name)).toEqual(names);
    expect(uses.tests[0]?.literals).toEqual(expect.arrayContaining(["40", "42"]));
    expect(uses.imports.flatMap((one) => one.names).map((one) => one.toLowerCase())).toEqual(["add"]);
  });

  test("makes stubs of what is missing, twins and decoys, all of which can be read", async () => {
    const { root } = await parsers.parse(grammar, tests);
    const path = `calc${extension === "py" ? "" : extension === "go" ? "_test" : ".test"}.${extension}`;
    const uses = syntax.uses(tests, root, new Set());
    const missing = await syntax.missing({ path, content: tests }, uses, EMPTY, parsers);
    expect(missing).toHaveLength(1);
    const stubs = await Promise.all(
      (["raising", "default", "sentinel"] as const).flatMap((kind) =>
        missing.map((one) => parsers.parse(grammar, syntax.stub(one, kind, EMPTY))),
      ),
    );
    expect(stubs.map(({ broken }) => broken)).toEqual([false, false, false]);
    const [sharp, dull] = syntax.tests(tests, root);
    if (!sharp || !dull) throw new Error("the tests are not found");
    const as = syntax.testName("0123456789ab", sharp);
    expect(syntax.twin(tests, root, sharp, as, "mark")?.turned).toBe("assertion");
    expect(syntax.twin(tests, root, dull, as, "mark")?.turned).toBe("body");
    const decoy = syntax.decoy(tests, root, sharp, "3fa1b2c4d5e6");
    expect(decoy?.map(({ from, to }) => tests.slice(from, to))).toEqual(["42"]);
    expect(syntax.decoy(tests, root, dull, "3fa1b2c4d5e6")).toBeNull();
  });

  test("has something to mutate", async () => {
    const { root } = await parsers.parse(grammar, code);
    const edits: string[] = [];
    const look = (node: typeof root, above: (typeof root)[]): void => {
      const place = { node, above, text: code };
      if (MUTATIONS[grammar].isLeftAlone(place)) return;
      edits.push(...MUTATIONS[grammar].edits(place).map(({ operator }) => operator));
      for (const child of node.children) look(child, [...above, node]);
    };
    look(root, []);
    expect(edits.sort()).toEqual(["arithmetic", "return"]);
  });
});
