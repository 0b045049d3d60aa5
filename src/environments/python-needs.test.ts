import { expect, test } from "vitest";
import type { TreeFiles } from "./environment.ts";
import { unmetRequirements } from "./fits-python.ts";
import { markerHolds } from "./marker.ts";
import { pythonNeeds } from "./python-needs.ts";

const tree = (files: Record<string, string>): TreeFiles => ({
  paths: Object.keys(files),
  read: (path) => files[path] ?? null,
});
const needs = (files: Record<string, string>) =>
  pythonNeeds(tree(files)) ?? { requirements: [], spare: [], constraints: [], from: [], left: [] };

test("files of requirements are followed, and what names another place is left out and said", () => {
  const found = needs({
    "requirements.txt":
      "-r requirements/base.txt\n-c limits.txt\n-e .[test]  # ourselves\nflask>=2 ; python_version >= '3'\n",
    "requirements/base.txt": "click==8.1.7 \\\n    --hash=sha256:00\n",
    "limits.txt": "werkzeug<3\n",
    "requirements-dev.txt": "--extra-index-url https://other.test/simple\npytest-cov\ngit+https://other.test/x.git\n",
    "docs/requirements.txt": "sphinx\n",
    "tests/requirements.txt": "pytest-xdist\n",
  });
  expect(found.requirements).toEqual([
    "click==8.1.7      --hash=sha256:00",
    "flask>=2 ; python_version >= '3'",
    "pytest-cov",
    "pytest-xdist",
  ]);
  expect(found.constraints).toEqual(["werkzeug<3"]);
  expect(found.from).toEqual([
    "requirements.txt",
    "requirements/base.txt",
    "limits.txt",
    "requirements-dev.txt",
    "tests/requirements.txt",
  ]);
  expect(found.left).toEqual([
    "requirements-dev.txt: --extra-index-url https://other.test/simple",
    "requirements-dev.txt: git+https://other.test/x.git",
  ]);
});

test("of a pyproject.toml count its requirements and its extras and groups for tests, those they include too", () => {
  const pyproject = `
[project]
name = "Own.Name"
dependencies = ["attrs", "local @ file:///x"]
[project.optional-dependencies]
tests = ["pytest>=7", "own-name[speed]"]
speed = ["orjson"]
docs = ["sphinx"]
[dependency-groups]
dev = [{ include-group = "typing" }, "tox"]
typing = ["mypy"]
release = ["twine"]
[tool.poetry.dependencies]
python = "^3.10"
httpx = "^0.27.1"
rich = { version = "~13.2", extras = ["jupyter"] }
pinned = "1.4"
extra = { version = "*", optional = true }
`;
  const found = needs({ "pyproject.toml": pyproject });
  expect(found.requirements).toEqual([
    "attrs",
    "httpx>=0.27.1,<0.28",
    "mypy",
    "orjson",
    "pinned==1.4",
    "pytest>=7",
    "rich[jupyter]>=13.2,<13.3",
    "tox",
  ]);
  expect(found.left).toEqual(["pyproject.toml: local @ file:///x"]);
});

test.each([
  [
    "uv.lock",
    '[[package]]\nname = "attrs"\nversion = "23.1.0"\n\n[[package]]\nname = "own"\nversion = "1.0"\nsource = { editable = "." }\n',
  ],
  ["poetry.lock", '[[package]]\nname = "attrs"\nversion = "23.1.0"\ndescription = ""\n'],
  ["Pipfile.lock", '{"default":{"attrs":{"version":"==23.1.0"},"odd":{"git":"x"}},"develop":{}}'],
])("%s says which versions", (path, text) => {
  const { constraints, from } = needs({ "requirements.txt": "attrs\n", [path]: text });
  expect(constraints).toEqual(["attrs==23.1.0"]);
  expect(from).toContain(path);
});

test("tox says what tests need where no manifest does", () => {
  const tox =
    "[tox]\nenvlist = py\n[testenv]\ndeps =\n    pytest\n    pytest-cov  # lines\n    py27: mock\n    -r other.txt\n";
  const found = needs({ "pyproject.toml": '[project]\nname = "own"\ndependencies = ["attrs"]\n', "tox.ini": tox });
  expect(found.requirements).toEqual(["attrs", "pytest", "pytest-cov"]);
  expect(found.from).toEqual(["pyproject.toml", "tox.ini"]);
  expect(needs({ "requirements.txt": "pytest\n", "tox.ini": tox }).requirements).toEqual(["pytest"]);
});

test("a noxfile says what its sessions of tests install, and nothing of it is run", () => {
  const nox = `import nox

@nox.session(python=["3.11", "3.12"])
def tests(session):
    session.install("-r", "requirements/dev.txt", ".")
    session.install("--group", "checks")
    session.install(
        "pytest>=8",
        'pytest-mock',
        f"{computed}",
    )
    session.run("pytest", *session.posargs)

@nox.session
def lint(session):
    session.install("black")
    session.run("black", ".")
`;
  const found = needs({ "pyproject.toml": '[project]\nname = "own"\ndependencies = ["attrs"]\n', "noxfile.py": nox });
  expect(found.requirements).toEqual(["attrs", "pytest-mock", "pytest>=8"]);
  expect(found.from).toEqual(["pyproject.toml", "noxfile.py"]);
  const both = needs({ "tox.ini": "[testenv]\ndeps = pytest\n", "noxfile.py": nox });
  expect(both).toMatchObject({ requirements: ["pytest"], from: ["tox.ini"] });
});

test("what only tests or developers need is told from what the project needs", () => {
  const pyproject =
    '[project]\nname = "own"\ndependencies = ["attrs"]\n\n[project.optional-dependencies]\ntest = ["pytest", "attrs>=22"]\n';
  const found = needs({
    "pyproject.toml": pyproject,
    "requirements.txt": "click\n",
    "requirements-dev.txt": "-r requirements.txt\nblack\n",
    "setup.cfg": "[options]\ninstall_requires = six\ntests_require = mock\n",
    "setup.py": 'setup(install_requires=["toml"], extras_require={"dev": ["tox"]})\n',
  });
  expect(found.spare).toEqual(["black", "mock", "pytest", "tox"]);
  const poetry = '[tool.poetry.dependencies]\nattrs = "*"\n\n[tool.poetry.group.dev.dependencies]\nblack = "*"\n';
  expect(needs({ "pyproject.toml": poetry }).spare).toEqual(["black"]);
  expect(needs({ "tox.ini": "[testenv]\ndeps = pytest\n" }).spare).toEqual(["pytest"]);
});

test("what cannot be read asks for nothing", () => {
  expect(pythonNeeds(tree({ "pyproject.toml": "[project\ndependencies = 3" }))).toBeNull();
  expect(pythonNeeds(tree({ "pyproject.toml": "[project]\ndependencies = 3\n" }))).toBeNull();
  expect(pythonNeeds(tree({ "requirements.txt": "-r requirements.txt\n" }))).toBeNull();
});

const unmet = (requirement: string, version: string | null, constraints: string[] = []) =>
  unmetRequirements(
    { requirements: [requirement], spare: [], constraints, from: [], left: [] },
    new Map(version === null ? [] : [["some-name", version]]),
    { python: "3.11" },
  ).length > 0;

test.each([
  ["Some_Name", "1.2"],
  ["some.name[extra]>=1.0,<2", "1.9.9"],
  ["some-name~=1.4", "1.9"],
  ["some-name!=1.5", "1.4"],
  ["some-name<2; python_version >= '3.8'", "1.0"],
  ["some-name==1.0.*", "1.0.7"],
  ["some-name>=22.2", "22.2.0+dfsg"],
])("%s is met by %s", (requirement, version) => {
  expect(unmet(requirement, version)).toBe(false);
});

test.each([
  ["some-name", null],
  ["some-name>=2", "1.9"],
  ["some-name==1.4", "1.5"],
  ["some-name~=1.4", "2.0"],
])("%s is not met by %s", (requirement, version) => {
  expect(unmet(requirement, version)).toBe(true);
});

test("a lockfile decides between versions that the manifest allows", () => {
  expect(unmet("some-name>=1", "1.4", ["some-name==1.5"])).toBe(true);
  expect(unmet("some-name>=1", "1.5", ["some-name==1.5"])).toBe(false);
});

test.each([
  ["python_version < '3.11'", false],
  ["python_version >= '3.8' and sys_platform == 'win32'", false],
  ["sys_platform == 'win32' or python_version > '3'", true],
  ["platform_system != 'Windows'", true],
  ["extra == 'test'", false],
  ["(os_name == 'nt')", true],
  ["", true],
])("the marker %j holds: %s", (marker, holds) => {
  expect(markerHolds(marker, { python: "3.11" })).toBe(holds);
});
