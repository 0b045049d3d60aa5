import { randomBytes } from "node:crypto";
import type { IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { ChangedFile } from "../change/change-parts.ts";

/** A file of tests of which we know how they must be reported. */
interface Canary {
  file: { path: string; content: string };
  /** Null when the report is as it must be. */
  finding(report: TestReport): IntegrityFinding | null;
}

/**
 * Code under test shares the runner's process and can patch it. So a test that must fail and one that must pass, with
 * names that nobody could know, run beside the changed modules: if they are reported otherwise, no report counts. Null
 * for a runner that we cannot give a file.
 */
export function makeCanary(runner: string, files: ChangedFile[], read: (path: string) => string | null): Canary | null {
  const [fails, passes] = [randomBytes(6).toString("hex"), randomBytes(6).toString("hex")];
  const sources = files.filter(({ part, after }) => part !== "test" && after?.kind === "file").map(({ path }) => path);
  const file =
    runner === "go test" ? goCanary(sources, read, fails, passes) : canaryFor(runner, sources, fails, passes);
  return file && { file, finding: (report) => (isTrue(report, fails, passes) ? null : forged(report)) };
}

function canaryFor(runner: string, paths: string[], fails: string, passes: string) {
  if (runner === "pytest") {
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
  if (runner !== "node:test") return null;
  const modules = paths.filter((path) => /\.[cm]?[jt]s$/.test(path)).map((path) => `./${path}`);
  return {
    path: `canary-${passes}.test.mjs`,
    content: `import assert from "node:assert/strict";
import { test } from "node:test";
for (const name of ${JSON.stringify(modules)}) await import(name).catch(() => {});
test("${fails}", () => assert.equal(Number("1"), 2));
test("${passes}", () => assert.equal(Number("1"), 1));
`,
  };
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

/** A run that was cut off shows nothing, and the suite's own run would have shown that too. */
function isTrue({ tests, ending }: TestReport, fails: string, passes: string): boolean {
  if (ending === "timeout" || ending === "resource-limit") return true;
  const outcome = (name: string) => tests.find((test) => test.name.includes(name))?.outcome;
  return outcome(fails) === "failed" && outcome(passes) === "passed";
}

const forged = ({ ending }: TestReport): IntegrityFinding => ({
  code: "runner.forged",
  weight: "tampering",
  message:
    ending === "crashed"
      ? "cannot be run to their end beside the changed modules: something in the change ends the test runner"
      : "are not reported as they are: a test that must fail did not, so something in the change decides over what tests say",
});
