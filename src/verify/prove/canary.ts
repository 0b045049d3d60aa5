import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ChangedFile } from "../change/change-parts.ts";

/** A file of tests of which we know how they must be reported. */
export interface Canary {
  file: { path: string; content: string };
  fails: string;
  passes: string;
}

/**
 * Code under test shares the runner's process and can patch it. So a test that must fail and one that must pass, with
 * names that nobody could know, run beside the changed modules. `beside`: a test file that the runner finds. Null for a
 * runner that we cannot give a file.
 */
export function makeCanary(
  runner: string,
  files: ChangedFile[],
  read: (path: string) => string | null,
  beside: string,
): Canary | null {
  const [fails, passes] = [randomBytes(6).toString("hex"), randomBytes(6).toString("hex")];
  const sources = files.filter(({ part, after }) => part !== "test" && after?.kind === "file").map(({ path }) => path);
  const file =
    runner === "go test"
      ? goCanary(sources, read, fails, passes)
      : runner === "pytest"
        ? pythonCanary(sources, fails, passes)
        : scriptCanary(runner, sources, beside, fails, passes);
  return file && { file, fails, passes };
}

/** `unknown`: a run that was cut off or did not find them shows nothing. */
export function canaryState({ tests, ending }: TestReport, { fails, passes }: Canary): "true" | "forged" | "unknown" {
  const [must, may] = [fails, passes].map((name) => tests.find((test) => test.name.includes(name)));
  if (must && isRed(must)) return "true";
  if (ending !== "completed") return "unknown";
  return must?.outcome === "passed" || may?.outcome === "passed" ? "forged" : "unknown";
}

export const FORGED: IntegrityFinding = {
  code: "runner.forged",
  weight: "tampering",
  message:
    "are not reported as they are: two tests that must fail did not, and do on the base, so something in the change decides over what tests say",
};

function pythonCanary(paths: string[], fails: string, passes: string) {
  const modules = paths.flatMap(moduleName);
  return {
    path: `test_${passes}.py`,
    content: `import importlib
for name in ${JSON.stringify(modules)}:
    try:
        importlib.import_module(name)
    except BaseException:
        pass
def test_${fails}():
    assert int("1") == 2
def test_${passes}():
    assert int("1") == 1
`,
  };
}

/** What each runner of JavaScript gives its tests. */
const GIVEN: Record<string, { head: string; claim: (value: number) => string }> = {
  "node:test": {
    head: 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n',
    claim: (value) => `assert.equal(Number("1"), ${value})`,
  },
  vitest: {
    head: 'import { expect, test } from "vitest";\n',
    claim: (value) => `expect(Number("1")).toBe(${value})`,
  },
  jest: { head: "", claim: (value) => `expect(Number("1")).toBe(${value})` },
  mocha: {
    head: "const test = it;\n",
    claim: (value) => `if (Number("1") !== ${value}) throw new Error("not ${value}")`,
  },
};

function scriptCanary(runner: string, paths: string[], beside: string, fails: string, passes: string) {
  const given = GIVEN[runner];
  const grammar = grammarOf(beside);
  if (!given || (runner !== "node:test" && grammar === null)) return null;
  const path =
    runner === "node:test" || grammar === null
      ? `canary-${passes}.test.mjs`
      : TEST_SYNTAX[grammar].disguisedPath(beside, passes);
  const modules = paths
    .filter((one) => /\.[cm]?[jt]sx?$/.test(one))
    .map((one) => `./${posix.relative(posix.dirname(path), one)}`.replace("./../", "../"));
  const isModule = runner === "node:test" || runner === "vitest";
  const load = isModule
    ? "await import(name).catch(() => {});"
    : "{ try { typeof require === 'function' ? require(name) : await import(name); } catch {} }";
  const loading = `for (const name of ${JSON.stringify(modules)}) ${load}`;
  // Not every runner lets a file wait for something before its tests.
  const first = isModule ? `${loading}\n` : `test("loads", async () => { ${loading} });\n`;
  const content = `${given.head}${first}test("${fails}", () => { ${given.claim(2)}; });
test("${passes}", () => { ${given.claim(1)}; });
`;
  return { path, content };
}

/** In the package of the first changed file: it is compiled together with what is there. */
function goCanary(paths: string[], read: (path: string) => string | null, fails: string, passes: string) {
  const path = paths.find((one) => one.endsWith(".go"));
  const name = path && /^package\s+(\w+)/m.exec(read(path) ?? "")?.[1];
  if (!path || !name) return null;
  return {
    path: `${path.slice(0, path.lastIndexOf("/") + 1)}canary_${passes}_test.go`,
    content: `package ${name}

import "testing"

func Test_${fails}(t *testing.T) {
	if len("1") != 2 {
		t.Error("must fail")
	}
}

func Test_${passes}(t *testing.T) {
	if len("1") != 1 {
		t.Error("must pass")
	}
}
`,
  };
}

/** `src/shop/cart.py` is `shop.cart`, as tests import it; a program is not started. */
function moduleName(path: string): string[] {
  const name = path
    .replace(/^src\//, "")
    .replace(/(\/__init__)?\.py$/, "")
    .replaceAll("/", ".");
  return path.endsWith(".py") && /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(name) && !/(^|\.)__main__$/.test(name)
    ? [name]
    : [];
}
