import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { outcomes, SampleProject, withoutTimes } from "../../../test/sample-project.ts";
import { passes } from "../../domain/evidence/test-report.ts";
import { findControlGroups } from "../../sandbox/control-groups.ts";
import { Python } from "./python.ts";

const python = new Python({ MIRACLE_PYTHON: "/usr/bin/python3" });

const KINDS = `
import pytest
from shop.price import total

class TestTotal:
    def test_sum(self):
        assert total([1, 2]) == 3

@pytest.mark.parametrize("items", [[], [1]])
def test_is_a_number(items):
    assert isinstance(total(items), int)

def test_wrong():
    print("printed by the test", object())
    assert total([1]) == 2, "one is not two"

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.xfail(reason="known")
def test_known():
    assert False

@pytest.fixture
def broken():
    raise RuntimeError("no fixture")

def test_fixture(broken):
    pass

@pytest.fixture
def late():
    yield
    raise RuntimeError("too late")

def test_after(late):
    pass
`;

test("reports each test with its outcome and why", async () => {
  using project = new SampleProject({
    "src/shop/price.py": "def total(items):\n    return sum(items)\n",
    "tests/test_price.py": KINDS,
  });
  const report = await project.run(python);
  expect(report).toMatchObject({ ending: "completed", exitCode: 1, command: "python3 -m pytest" });
  expect(outcomes(report)).toEqual({
    "tests/test_price.py::TestTotal::test_sum": "passed",
    "tests/test_price.py::test_is_a_number[items0]": "passed",
    "tests/test_price.py::test_is_a_number[items1]": "passed",
    "tests/test_price.py::test_wrong": "failed",
    "tests/test_price.py::test_skipped": "skipped",
    "tests/test_price.py::test_known": "xfailed",
    "tests/test_price.py::test_fixture": "error",
    "tests/test_price.py::test_after": "error",
  });
  expect(report.tests.find((one) => one.name === "test_wrong")?.message).toContain("one is not two");
  expect(report.tests.find((one) => one.name === "test_after")?.message).toContain("too late");
  expect(report.tests.find((one) => one.name === "test_skipped")?.message).toContain("not today");
});

test("leaves nothing in the workspace", async () => {
  using project = new SampleProject({
    "test_a.py":
      "from hypothesis import given, strategies\n@given(strategies.integers())\ndef test_a(x):\n    assert x < 10\n",
  });
  await project.run(python);
  expect(readdirSync(project.directory)).toEqual(["test_a.py"]);
});

test("two identical runs give the same report, failures and property tests included", async () => {
  const properties = `
from hypothesis import given, strategies as st
from price import total

@given(st.lists(st.integers()))
def test_never_negative(items):
    assert total(items) >= 0

tried = []

@given(st.text())
def test_tries_examples(text):
    tried.append(text)

def test_which_were_tried():
    assert tried == [], object()
`;
  using project = new SampleProject({
    "price.py": "def total(items):\n    return sum(items)\n",
    "tests/test_properties.py": properties,
    "tests/test_kinds.py": KINDS.replace("shop.price", "price"),
  });
  const first = await project.run(python);
  const second = await project.run(python);
  expect(outcomes(first)["tests/test_properties.py::test_never_negative"]).toBe("failed");
  expect(outcomes(first)["tests/test_properties.py::test_which_were_tried"]).toBe("failed");
  expect(withoutTimes(second)).toEqual(withoutTimes(first));
});

test("tests that do not use Hypothesis do not wait for its last lines, which load all of it", async () => {
  // Stands where Hypothesis' plugin would: only newer versions load everything there.
  const conftest = `
class Summary:
    def pytest_terminal_summary(self, terminalreporter):
        open("asked", "w").close()

def pytest_configure(config):
    manager = config.pluginmanager
    if manager.has_plugin("hypothesispytest"):
        manager.unregister(name="hypothesispytest")
    manager.register(Summary(), "hypothesispytest")
`;
  using project = new SampleProject({ "conftest.py": conftest, "test_a.py": "def test_a():\n    assert True\n" });
  await project.run(python);
  expect(readdirSync(project.directory)).not.toContain("asked");
});

test("runs without isolation as well, and says the same", async () => {
  using project = new SampleProject({
    "price.py": "def total(items):\n    return sum(items)\n",
    "tests/test_kinds.py": KINDS.replace("shop.price", "price"),
  });
  const isolated = await project.run(python);
  expect(withoutTimes(await project.run(python, { backend: "process" }))).toEqual(withoutTimes(isolated));
});

test("a file that cannot be imported or read is an error, and the others still run", async () => {
  using project = new SampleProject({
    "tests/test_import.py": "import not_there\ndef test_a():\n    pass\n",
    "tests/test_syntax.py": "def test_a(:\n    pass\n",
    "tests/test_good.py": "def test_a():\n    pass\n",
  });
  const report = await project.run(python);
  expect(outcomes(report)).toEqual({
    "tests/test_import.py::collection": "error",
    "tests/test_syntax.py::collection": "error",
    "tests/test_good.py::test_a": "passed",
  });
  expect(report.tests[0]?.message).toContain("No module named 'not_there'");
  expect(report.tests[1]?.message).toMatch(/\/workspace\/tests\/test_syntax\.py.*SyntaxError/s);
  expect(passes(report)).toBe(false);
});

test("runs only the files that are named", async () => {
  using project = new SampleProject({
    "test_a.py": "def test_a():\n    pass\n",
    "test_b.py": "def test_b():\n    assert 0\n",
  });
  const report = await project.run(python, { files: ["test_a.py"] });
  expect(outcomes(report)).toEqual({ "test_a.py::test_a": "passed" });
  expect(report.command).toBe("python3 -m pytest test_a.py");
  expect(passes(report)).toBe(true);
});

test("no tests, or a missing file, is no pass", async () => {
  using project = new SampleProject({ "readme.md": "nothing" });
  const empty = await project.run(python);
  expect(empty).toMatchObject({ ending: "completed", exitCode: 5, tests: [] });
  expect(passes(empty)).toBe(false);
  const missing = await project.run(python, { files: ["tests/test_gone.py"] });
  expect(missing).toMatchObject({ ending: "crashed", tests: [] });
  expect(missing.output).toContain("file or directory not found");
});

test("a process that ends itself in a test is no pass", async () => {
  using project = new SampleProject({
    "test_a.py": "import os\ndef test_first():\n    pass\ndef test_exit():\n    os._exit(0)\n",
  });
  const report = await project.run(python);
  expect(report).toMatchObject({ ending: "crashed", exitCode: 0 });
  expect(outcomes(report)).toEqual({ "test_a.py::test_first": "passed", "test_a.py::test_exit": "error" });
});

test("a crash of the interpreter names the test", async () => {
  using project = new SampleProject({ "test_a.py": "import ctypes\ndef test_crash():\n    ctypes.string_at(0)\n" });
  const report = await project.run(python);
  expect(report.ending).toBe("crashed");
  expect(report.tests[0]).toMatchObject({ id: "test_a.py::test_crash", outcome: "error" });
  expect(report.tests[0]?.message).toContain("SIGSEGV");
});

test("a test that never ends is a timeout and says which", async () => {
  using project = new SampleProject({
    "test_a.py": "def test_first():\n    pass\ndef test_ever():\n    while True: pass\n",
  });
  const report = await project.run(python, { limits: { timeoutMs: 3_000 } });
  expect(report.ending).toBe("timeout");
  expect(outcomes(report)).toEqual({ "test_a.py::test_first": "passed" });
  expect(report.output).toContain("still running: test_a.py::test_ever");
});

test("a test that eats the memory hits a limit, and is not red", async () => {
  using project = new SampleProject({ "test_a.py": "def test_much():\n    x = b'x' * (1 << 31)\n" });
  const report = await project.run(python, { limits: { memoryMb: 200 } });
  if (findControlGroups().holds("memory") !== null)
    expect(report).toMatchObject({ ending: "resource-limit", tests: [] });
  else expect(passes(report)).toBe(false);
});

test("a report that was replaced by a link is not read", async () => {
  const forge =
    "import os, glob\ndef test_forge():\n    name = glob.glob('.miracle-report-*')[0]\n    os.remove(name)\n    os.symlink('/etc/passwd', name)\n";
  using project = new SampleProject({ "test_a.py": forge });
  const report = await project.run(python);
  expect(report).toMatchObject({ ending: "crashed", tests: [] });
  expect(readdirSync(project.directory)).toEqual(["test_a.py"]);
});

test("names test files as the project does", () => {
  expect(python.testPath("line-parser", [])).toBe("test_line_parser.py");
  expect(python.testPath("line-parser", ["pyproject.toml"])).toBe("tests/test_line_parser.py");
  expect(python.testPath("parser", ["test/test_a.py"])).toBe("test/test_parser.py");
  expect(python.testPath("parser", ["test_a.py", "tests/test_b.py"])).toBe("tests/test_parser.py");
  expect(python.testPath("parser", ["test_a.py"])).toBe("test_parser.py");
  expect(python.testPath("test_parser.py", ["pkg/sub/test_a.py"])).toBe("pkg/sub/test_parser.py");
});

test("knows a test file", () => {
  expect(["tests/test_a.py", "a_test.py", "shop/tests.py"].map((path) => python.isTestFile(path))).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ["tests/conftest.py", "testing.py", "contest.py", "test_a.txt"].map((path) => python.isTestFile(path)),
  ).toEqual([false, false, false, false]);
});

test("a test.py at the root is run beside what pytest finds", async () => {
  const unit = "import unittest\n\n\nclass Own(unittest.TestCase):\n    def test_own(self):\n        pass\n";
  using project = new SampleProject({
    "test.py": unit,
    "checks/test_more.py": "def test_more():\n    pass\n",
    "shop/test.py": "raise RuntimeError",
  });
  const report = await project.run(python);
  expect(outcomes(report)).toEqual({ "checks/test_more.py::test_more": "passed", "test.py::Own::test_own": "passed" });
  const one = await project.run(python, { files: ["test.py"], backend: "process" });
  expect(outcomes(one)).toEqual({ "test.py::Own::test_own": "passed" });
  expect(outcomes(await project.run(python, { backend: "process" }))).toEqual(outcomes(report));
});

test("tests are run as tox runs them, without what is not there", async () => {
  const files = {
    "tox.ini":
      "[testenv]\nsetenv =\n    WITH_THREADS = 1\ncommands = pytest --cov shop --doctest-modules {envsitepackagesdir}/shop checks gone\n",
    "shop/__init__.py": "",
    "shop/price.py": 'def total(items):\n    """\n    >>> total([1, 2])\n    3\n    """\n    return sum(items)\n',
    "checks/test_env.py": 'import os\n\n\ndef test_env():\n    assert os.environ["WITH_THREADS"] == "1"\n',
    "benchmarks/test_speed.py": "assert False\n",
  };
  using project = new SampleProject(files);
  expect(outcomes(await project.run(python))).toEqual({
    "checks/test_env.py::test_env": "passed",
  });
  const named = await project.run(python, { files: ["checks/test_env.py"] });
  expect(outcomes(named)).toEqual({ "checks/test_env.py::test_env": "passed" });
});

test("tests of unittest with other names than pytest's are found where the project looks for them", async () => {
  const unit = "import unittest\n\n\nclass Own(unittest.TestCase):\n    def test_own(self):\n        pass\n";
  using project = new SampleProject({
    "noxfile.py":
      '@nox.session\ndef tests(session):\n    session.run("python", "-m", "unittest", "discover", "-s", "checks")\n',
    "checks/testall.py": unit,
  });
  expect(outcomes(await project.run(python))).toEqual({ "checks/testall.py::Own::test_own": "passed" });
});
