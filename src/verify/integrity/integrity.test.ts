import { expect, test } from "vitest";
import { restoredConfig } from "./restored-config.ts";

test.each([
  "conftest.py",
  "tests/conftest.py",
  "pytest.ini",
  "src/sitecustomize.py",
  "json.py",
  "pytest/__init__.py",
  "src/_pytest/x.py",
  "vitest.config.ts",
])("%s that the coder adds is taken away", (path) => expect(restoredConfig(path, null, "x")).toEqual({ remove: true }));

test.each(["calc.py", "shop/json.py", "tests/test_json.py", "src/index.js", "time.js", "docs/conftest.md"])(
  "%s is the coder's to write",
  (path) => expect(restoredConfig(path, null, "x")).toBeNull(),
);

test("what was there is put back, also where it was deleted", () => {
  expect(restoredConfig("conftest.py", "old", "new")).toEqual({ content: "old" });
  expect(restoredConfig("conftest.py", "old", null)).toEqual({ content: "old" });
  expect(restoredConfig("json.py", "old", "new")).toBeNull();
});

test("of a shared file only what is about tests is put back", () => {
  const manifest = (test: string, version: string) =>
    `${JSON.stringify({ version, scripts: { test, build: version } }, null, 2)}\n`;
  const json = restoredConfig("package.json", manifest("node --test", "1"), manifest("true", "2"));
  expect(json && "content" in json && JSON.parse(json.content)).toEqual({
    version: "2",
    scripts: { test: "node --test", build: "2" },
  });
  expect(restoredConfig("package.json", manifest("node --test", "1"), manifest("node --test", "2"))).toBeNull();
  const toml = restoredConfig(
    "pyproject.toml",
    "[tool.pytest.ini_options]\nminversion = 7\n",
    '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-k nothing"\n',
  );
  expect(toml).toEqual({ content: '[project]\nname = "x"\n\n[tool.pytest.ini_options]\nminversion = 7\n' });
  expect(restoredConfig("pyproject.toml", null, '[project]\nname = "x"\n')).toBeNull();
});
