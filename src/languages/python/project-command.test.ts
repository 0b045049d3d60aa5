import { expect, test } from "vitest";
import { projectCommand } from "./project-command.ts";

const of = (files: Record<string, string>) => projectCommand((path) => files[path] ?? null);
const tox = (commands: string, more = "") =>
  of({ "tox.ini": `[tox]\n\n[testenv]\n${more}commands =\n    ${commands}\n` });
const NOTHING = { options: [], places: [], env: {} };

test.each<[string, string[], string[]]>([
  ["pytest {posargs}", [], []],
  ["pytest {posargs:tests}", [], ["tests"]],
  ["pytest -n auto --cov humanize --cov-report term tests/ -v", [], ["tests"]],
  ["{envpython} -X dev -m pytest \\\n      --cov tests \\\n      {posargs}", [], []],
  ["coverage run --source slugify -p -m pytest tests", [], ["tests"]],
  ["python -m coverage run --branch test.py", [], ["test.py"]],
  ["poetry run pytest tests/", [], ["tests"]],
  ["- pytest -m 'not slow' -k \"a or b\"", ["-m", "not slow", "-k", "a or b"], []],
  ['pytest -v --doctest-modules --ignore benchmark --doctest-glob="README.md"', ["--ignore", "benchmark"], []],
  [
    "pytest --doctest-modules {env_site_packages_dir}/boltons {tox_root}/tests",
    [],
    ["boltons", "src/boltons", "tests"],
  ],
  ["unit: pytest tests examples/tests", [], ["tests", "examples/tests"]],
  ["pytest --pyargs own.tests", [], ["own/tests.py", "own/tests", "src/own/tests"]],
  ["python -m unittest discover -s tests -p '*_checks.py'", ["-o", "python_files=*_checks.py"], ["tests"]],
  ["python -m unittest discover tests", ["-o", "python_files=test*.py"], ["tests"]],
  ["{envpython} -m unittest -v", ["-o", "python_files=test_*.py *_test.py test.py tests.py"], []],
  ["python -m unittest tests.parts.Case", [], ["tests/parts.py", "tests/parts", "src/tests/parts"]],
  ["python test.py", [], ["test.py"]],
  ["pytest ../elsewhere /etc tests/*.py {envtmpdir}/x", [], []],
  ["mypy src\n    ruff check", [], []],
])("tox says %j", (commands, options, places) => {
  expect(tox(commands)).toEqual({ options, places, env: {} });
});

test("of several commands the one that runs everything counts, or all that are told the same", () => {
  expect(tox("pytest README.rst\n    # Full test suite\n    pytest --tb=short {posargs:}")).toEqual(NOTHING);
  expect(tox("pytest -m slow src\n    pytest tests/unit\n    pytest tests/more").places).toEqual([
    "tests/unit",
    "tests/more",
  ]);
});

test("variables of tox are set, but for those that steer the tools", () => {
  expect(tox("pytest", "setenv =\n    THREADS = 1\n    PYTHONPATH = .\n    PLACE = {toxinidir}\n").env).toEqual({
    THREADS: "1",
  });
});

test("where all environments share no command, the first one for tests counts", () => {
  const text = "[testenv:lint]\ncommands = pytest lint\n\n[testenv:py3]\ncommands = pytest tests\n";
  expect(of({ "tox.ini": text }).places).toEqual(["tests"]);
  const inside = `[tool.tox]\nlegacy_tox_ini = """\n[testenv]\ncommands = pytest checks\n"""\n`;
  expect(of({ "tox.ini": "", "pyproject.toml": inside }).places).toEqual(["checks"]);
});

test("a noxfile is read where it writes its words out", () => {
  const text = `import nox

@nox.session
def lint(session):
    session.run("pytest", "lint")

@nox.session(python=["3.11"])
def tests(session):
    session.install("pytest")
    session.run("python", "-m", "pytest", "-k", f"{name}", *(session.posargs or ["tests", "more"]), env={"A": "b"})
    session.run("coverage", "report")
`;
  expect(of({ "noxfile.py": text })).toEqual({ options: [], places: ["tests", "more"], env: {} });
});

test("a test.py at the root is run beside what pytest finds, unless settings say where tests are", () => {
  const own = "import unittest\n\n\nclass Own(unittest.TestCase):\n    def test_it(self):\n        pass\n";
  const options = ["-o", "python_files=test_*.py *_test.py /workspace/test.py"];
  expect(of({ "test.py": own })).toEqual({ ...NOTHING, options });
  expect(of({ "test.py": "print('no test')\n" })).toEqual(NOTHING);
  expect(of({ "test.py": own, "setup.cfg": "[tool:pytest]\ntestpaths = tests\n" })).toEqual(NOTHING);
});
