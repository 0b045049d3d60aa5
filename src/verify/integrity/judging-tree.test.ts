import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { ArtifactStore } from "../../workspace/artifact-store.ts";
import { judgingTree } from "./judging-tree.ts";

const parsers = new SyntaxParsers();
const TEST = "def test_a(db):\n    assert db\n";
const isTest = (path: string) => /(^|\/)test_\w+\.py$|\.test\.js$/.test(path);

/** The files of the judging tree, and what was said of it. */
async function judged(before: Record<string, string>, after: Record<string, string>) {
  const artifacts = ArtifactStore.open(temporaryDirectory("miracle-judging-"));
  onTestFinished(() => artifacts.close());
  const put = (files: Record<string, string>) =>
    artifacts.putTree("t", (blob) => ({
      entries: new Map(
        Object.entries(files).map(([path, content]) => [
          path,
          { path, kind: "file" as const, permissions: 0o644, id: blob(Buffer.from(content)) },
        ]),
      ),
      emptyDirectories: new Set<string>(),
    }));
  const [base, result] = [put(before), put(after)];
  const changes = artifacts.changes(base, result);
  const found = await judgingTree({ artifacts, task: "t", parsers }, { base, result }, changes, isTest);
  const files = artifacts.list(found.tree).map(({ path }) => [path, artifacts.readFile(found.tree, path)?.toString()]);
  return { ...found, files: Object.fromEntries(files) };
}

test("settings are the base's, what else a shared file says is the change's", async () => {
  const before = {
    "test_a.py": TEST,
    "pytest.ini": "[pytest]\n",
    "pyproject.toml": '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    "a.py": "x = 1\n",
  };
  const { files, taken, asked } = await judged(before, {
    "test_a.py": TEST,
    "pyproject.toml": '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "-k nothing"\n',
    "pytest.ini": "[pytest]\naddopts = -x\n",
    "vitest.config.ts": "export default {};\n",
    "a.py": "x = 2\n",
  });
  expect(files).toMatchObject({ "pytest.ini": "[pytest]\n", "a.py": "x = 2\n" });
  expect(files["pyproject.toml"]).toContain('name = "b"');
  expect(files["pyproject.toml"]).toContain('addopts = "-q"');
  expect(Object.keys(files)).not.toContain("vitest.config.ts");
  expect(taken).toEqual(["pyproject.toml: tool.pytest.ini_options", "pytest.ini", "vitest.config.ts"]);
  expect(asked).toEqual([]);
});

const CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef db():\n    return 1\n";

test("of a conftest.py added fixtures are taken with what they need, and nothing that steers", async () => {
  const after = `import os
import pytest
import sys
from shop import Shop

SIZE = 3


def make(size):
    return Shop(size)


@pytest.fixture
def db():
    return 2


@pytest.fixture(scope="module")
def shop(tmp_path):
    return make(SIZE)


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setattr(sys, "exit", None)


def pytest_runtest_makereport(item, call):
    os.abort()


pytest_plugins = ["evil"]
`;
  const { files, taken } = await judged(
    { "test_a.py": TEST, "conftest.py": CONFTEST },
    { "test_a.py": TEST, "conftest.py": after },
  );
  expect(files["conftest.py"]).toBe(`${CONFTEST.trimEnd()}


from shop import Shop


SIZE = 3


def make(size):
    return Shop(size)


@pytest.fixture(scope="module")
def shop(tmp_path):
    return make(SIZE)
`);
  expect(taken).toEqual(["conftest.py"]);
});

test("a fixture with the name of one that old tests ask for is not taken", async () => {
  const base = { "tests/test_a.py": TEST, "conftest.py": CONFTEST };
  const { files } = await judged(base, { ...base, "tests/conftest.py": CONFTEST.replace("return 1", "return 2") });
  expect(Object.keys(files).sort()).toEqual(["conftest.py", "tests/test_a.py"]);
  const plain = { ...base, "tests/conftest.py": CONFTEST.replace("def db", "def other") };
  const added = await judged(base, plain);
  expect(added.files).toEqual(plain);
  expect(added.taken).toEqual([]);
});

test("files that the settings load, and plugins, are the base's as well", async () => {
  const base = {
    "a.test.js": "test('a', () => {});\n",
    "package.json": JSON.stringify({
      scripts: { test: "mocha -r ./setup.js" },
      jest: { setupFiles: ["<rootDir>/jest-setup"] },
    }),
    "vitest.config.ts": 'export default { test: { setupFiles: ["./test/prepare.ts"], alias: { x: "./src/x.ts" } } };\n',
    "setup.js": "1;\n",
    "jest-setup.js": "1;\n",
    "test/prepare.ts": "1;\n",
    "src/x.ts": "1;\n",
    "conftest.py": 'pytest_plugins = ["tests.plugin"]\n',
    "tests/plugin.py": CONFTEST,
  };
  const { taken, files } = await judged(
    base,
    Object.fromEntries(Object.entries(base).map(([path, text]) => [path, /^1/.test(text) ? "2;\n" : text])),
  );
  expect(taken).toEqual(["jest-setup.js", "setup.js", "test/prepare.ts"]);
  expect(files["src/x.ts"]).toBe("2;\n");
  const plugin = await judged(base, { ...base, "tests/plugin.py": `${CONFTEST}def pytest_sessionfinish():\n    1\n` });
  expect(plugin.files["tests/plugin.py"]).toBe(CONFTEST);
});

test("a new project is judged by its own settings, and they are named", async () => {
  const after = { "test_a.py": TEST, "conftest.py": CONFTEST, "a.py": "", "pyproject.toml": "[tool.pytest]\nx = 1\n" };
  const { files, taken, asked } = await judged({ "README.md": "" }, after);
  expect(files).toEqual(after);
  expect({ taken, asked }).toEqual({ taken: [], asked: ["conftest.py", "pyproject.toml: tool.pytest.x"] });
});

test("scripts that the test script runs are the base's, the code's fields are not", async () => {
  const manifest = (scripts: object, more: object) => JSON.stringify({ scripts, ...more });
  const base = { "a.test.js": "", "package.json": manifest({ test: "npm run unit", unit: "node --test" }, {}) };
  const { files, taken } = await judged(base, {
    "a.test.js": "",
    "package.json": manifest({ test: "npm run unit", unit: "true" }, { type: "module", exports: "./b.js" }),
  });
  expect(JSON.parse(files["package.json"] ?? "")).toEqual({
    scripts: { test: "npm run unit", unit: "node --test" },
    type: "module",
    exports: "./b.js",
  });
  expect(taken).toEqual(["package.json: scripts.unit"]);
});
