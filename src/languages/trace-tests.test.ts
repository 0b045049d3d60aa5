import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS, outcomes, SampleProject } from "../../test/sample-project.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { JavaScript } from "./javascript/javascript.ts";
import { linesThatRan } from "./javascript/read-coverage.ts";
import type { Language } from "./language.ts";
import { Python } from "./python/python.ts";
import { traceTests } from "./trace-tests.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

const SHOP = `import sys
LIMIT = 3
def price(count):
    if count > LIMIT:
        return count * 2
    return count
def unused():
    return 1
class Shop:
    name = "shop"
    def open(self):
        return price(1)
if __name__ == "__main__":
    print(price(int(sys.argv[1])))
`;

test("a test that meets the recursion limit leaves the tests behind it watched", async () => {
  using project = new SampleProject({
    "deep.py": "def down(n):\n    return down(n + 1)\ndef flat():\n    return 1\n",
    "test_deep.py":
      "import pytest\nfrom deep import down, flat\ndef test_down():\n    with pytest.raises(RecursionError):\n        down(0)\ndef test_flat():\n    assert flat() == 1\n",
  });
  const traced = await trace(python, project, ["deep.py"]);
  expect(Object.values(outcomes(traced.report))).toEqual(["passed", "passed"]);
  expect([...(traced.lines?.get("deep.py")?.get(4) ?? [])]).toEqual(["test_deep.py::test_flat"]);
});

test("tells which tests run which lines of Python, in processes they start and kill as well", async () => {
  using project = new SampleProject({
    "shop.py": SHOP,
    "wait.py": 'import sys\nprint("ready", flush=True)\nsys.stdin.read()\n',
    "test_shop.py": `
import subprocess, sys
def test_many():
    from shop import price
    assert price(4) == 8
def test_few():
    from shop import price
    assert price(2) == 2
def test_open():
    from shop import Shop
    assert Shop().open() == 1
def test_command():
    done = subprocess.run([sys.executable, "shop.py", "9"], capture_output=True)
    assert (done.stdout, done.stderr) == (b"18\\n", b"")
def test_killed():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "wait.py"], **pipes) as process:
        assert process.stdout.readline() == b"ready\\n"
        process.kill()
`,
  });
  const traced = await trace(python, project, ["shop.py", "wait.py", "not_there.py"]);
  expect(Object.values(outcomes(traced.report))).toEqual(Array.from({ length: 5 }, () => "passed"));
  const lines = traced.lines?.get("shop.py");
  const testsOf = (line: number) =>
    lines?.get(line) && [...(lines.get(line) ?? [])].map((id) => id.split("::")[1] ?? id).sort();
  expect(testsOf(2)).toEqual(["", "test_command"]);
  expect(testsOf(4)).toEqual(["test_command", "test_few", "test_many", "test_open"]);
  expect(testsOf(5)).toEqual(["test_command", "test_many"]);
  expect(testsOf(6)).toEqual(["test_few", "test_open"]);
  expect(testsOf(8)).toBeUndefined();
  expect(testsOf(10)).toEqual(["", "test_command"]);
  expect(testsOf(12)).toEqual(["test_open"]);
  expect(testsOf(14)).toEqual(["test_command"]);
  expect([...(traced.lines?.get("wait.py")?.get(2) ?? [])]).toEqual(["test_shop.py::test_killed"]);
  expect(traced.lines?.get("not_there.py")?.size).toBe(0);
  expect(traced.modules).toContain("subprocess");
  expect(traced.modules).not.toContain("shop");
  expect(readdirSync(project.directory).sort()).toEqual(["shop.py", "test_shop.py", "wait.py"]);
});

test.each(["shop.js", "shop.ts"])("tells which test files run which lines of %s", async (path) => {
  const type = path.endsWith(".ts") ? ": number" : "";
  using project = new SampleProject({
    "package.json": '{ "type": "module" }',
    [path]: `export const LIMIT = 3;
export function price(count${type}) {
  if (count > LIMIT) {
    return count * 2;
  }
  return count;
}
export function unused() {
  return 1;
}
if (process.argv[2]) console.log(price(Number(process.argv[2])));
`,
    "many.test.js": `import test from "node:test";
import { price } from "./${path}";
test("many", () => { if (price(4) !== 8) throw new Error("no"); });
`,
    "few.test.js": `import test from "node:test";
import { price } from "./${path}";
test("few", () => { if (price(2) !== 2) throw new Error("no"); });
test("none", () => {});
`,
  });
  const javascript = new JavaScript(process);
  const traced = await trace(javascript, project, [path]);
  expect(traced.report.tests.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "passed"]);
  const lines = traced.lines?.get(path);
  const testsOf = (line: number) => lines?.get(line) && [...(lines.get(line) ?? [])].sort();
  const all = ["few.test.js::few", "few.test.js::none", "many.test.js::many"];
  expect([1, 3, 11].map(testsOf)).toEqual([all, all, all]);
  expect(testsOf(4)).toEqual(["many.test.js::many"]);
  expect(testsOf(6)).toEqual(["few.test.js::few", "few.test.js::none"]);
  expect(testsOf(9)).toBeUndefined();
  expect(readdirSync(project.directory).length).toBe(4);
});

test("what a test starts of JavaScript belongs to the file of that test", async () => {
  using project = new SampleProject({
    "package.json": '{ "type": "module" }',
    "tool.js":
      "const [, , word] = process.argv;\nif (word === 'loud') {\n  console.log('LOUD');\n} else {\n  console.log('quiet');\n}\n",
    "shell.js":
      "import { execFileSync } from 'node:child_process';\nprocess.stdout.write(execFileSync(process.execPath, ['tool.js', 'quiet']));\n",
    "loud.test.js": `import test from "node:test";
import { execFileSync } from "node:child_process";
test("loud", () => { if (String(execFileSync(process.execPath, ["tool.js", "loud"])) !== "LOUD\\n") throw new Error("no"); });
`,
    "quiet.test.js": `import test from "node:test";
import { execFileSync } from "node:child_process";
test("quiet", () => { if (String(execFileSync(process.execPath, ["shell.js"])) !== "quiet\\n") throw new Error("no"); });
`,
  });
  const { lines, report } = await trace(new JavaScript(process), project, ["tool.js"]);
  expect(report.tests.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  const testsOf = (line: number) => [...(lines?.get("tool.js")?.get(line) ?? [])].sort();
  expect([testsOf(1), testsOf(3), testsOf(5)]).toEqual([
    ["loud.test.js::loud", "quiet.test.js::quiet"],
    ["loud.test.js::loud"],
    ["quiet.test.js::quiet"],
  ]);
});

test("of ranges within each other the inner one says whether a line ran", () => {
  const source = "a()\nb()\nc()\n";
  const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count });
  expect(linesThatRan(source, [range(0, 4, 0), range(0, 12, 1), range(8, 12, 0)])).toEqual([2]);
  expect(linesThatRan(source, [range(0, 12, 0), range(4, 8, 2)])).toEqual([2]);
});

test("where the runner does not tell, says so and runs the tests all the same", async () => {
  using project = new SampleProject({
    "package.json": '{ "scripts": { "test": "vitest run" } }',
    "node_modules/vitest/vitest.mjs": "process.exit(1)",
  });
  const { lines, reason } = await trace(new JavaScript(process), project, ["a.js"]);
  expect([lines, reason]).toEqual([null, "vitest does not tell which lines run"]);
});

test("a plugin of coverage that the project switched on is switched off meanwhile", async () => {
  using project = new SampleProject({
    "pytest_cov/__init__.py": "",
    "pytest_cov/plugin.py": "def pytest_addoption(parser):\n    parser.addoption('--no-cov', action='store_true')\n",
    // On a machine that has the real one, its entry point has loaded this one by now.
    "conftest.py": `import pytest_cov.plugin
def pytest_addoption(parser, pluginmanager):
    if not pluginmanager.is_registered(pytest_cov.plugin):
        pytest_cov.plugin.pytest_addoption(parser)
`,
    "test_code.py": "def test_f(request):\n    assert request.config.getoption('--no-cov')\n",
  });
  const { report } = await trace(python, project, ["code_.py"]);
  expect(outcomes(report)).toEqual({ "test_code.py::test_f": "passed" });
});

test("statements of every form are marked, and do what they did", async () => {
  using project = new SampleProject({
    "forms.py": `"""What it is for."""
from __future__ import annotations
HANDLERS = {"a": lambda x: x + 1,
            "b": lambda x: x + 2}
class Form:
    """A form."""
    @staticmethod
    def pick(value):
        """Picks one."""
        global LAST
        LAST = value
        match value:
            case 1:
                return "one"
            case _:
                return "more"
def tried(work):
    try:
        return work()
    except (KeyError,
            ValueError):
        return "lost"
    finally:
        HANDLERS.setdefault("c", None)
async def later():
    return [one async for one in numbers()]
async def numbers():
    yield 1
`,
    "test_forms.py": `
import asyncio, pytest, forms
def test_pick():
    assert forms.Form.pick(1) == "one" and forms.LAST == 1 and forms.Form.__doc__ == "A form."
def test_lambda():
    assert forms.HANDLERS["b"](1) == 3
def test_tried():
    assert forms.tried({}.popitem) == "lost"
def test_not_caught():
    with pytest.raises(ZeroDivisionError):
        forms.tried(lambda: 1 / 0)
def test_later():
    assert asyncio.run(forms.later()) == [1]
    assert forms.__doc__ == "What it is for." and forms.Form.pick.__doc__ == "Picks one."
`,
  });
  const { lines, report } = await trace(python, project, ["forms.py"]);
  expect(Object.values(outcomes(report))).toEqual(Array.from({ length: 5 }, () => "passed"));
  const testsOf = (line: number) =>
    [...(lines?.get("forms.py")?.get(line) ?? [])].map((id) => id.split("::")[1] ?? id).sort();
  expect([1, 2, 3, 6, 7, 8].map(testsOf)).toEqual(Array.from({ length: 6 }, () => [""]));
  expect([testsOf(4), testsOf(13), testsOf(14), testsOf(16)]).toEqual([
    ["test_lambda"],
    ["test_pick"],
    ["test_pick"],
    [],
  ]);
  // Who is not caught met the line that decides it.
  expect([testsOf(20), testsOf(22)]).toEqual([["test_not_caught", "test_tried"], ["test_tried"]]);
  expect([testsOf(26), testsOf(28)]).toEqual([["test_later"], ["test_later"]]);
});

test("code that cannot be watched is run without", async () => {
  using project = new SampleProject({
    "code_.py": "import os\ndef f():\n    if not isinstance(compile, type(len)):\n        os._exit(3)\n    return 1\n",
    "test_code.py": "from code_ import f\ndef test_f():\n    assert f() == 1\n",
  });
  const { lines, report, reason } = await trace(python, project, ["code_.py"]);
  expect(outcomes(report)).toEqual({ "test_code.py::test_f": "passed" });
  expect([lines, reason]).toEqual([null, "the tests do not come to their end while they are watched (crashed)"]);
});

async function trace(language: Language, project: SampleProject, paths: string[]) {
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  return await traceTests({
    language,
    sandbox,
    limits: LIMITS,
    workspace: project.directory,
    toolchain: await language.toolchain(project.directory),
    files: [],
    signal: new AbortController().signal,
    paths,
    read: (path) => project.read(path),
  });
}
