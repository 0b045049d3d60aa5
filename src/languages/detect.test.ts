import { expect, test } from "vitest";
import { LanguageName } from "../domain/plan/spec.ts";
import { openLanguages } from "./open-languages.ts";

const languages = openLanguages({ env: { PATH: "/usr/bin" }, execPath: process.execPath, version: process.version });

test.each([
  [["pyproject.toml", "src/a.py"], "python"],
  [["a.py", "README.md"], "python"],
  [["package.json", "src/a.js"], "javascript"],
  [["a.mjs", "b.mjs"], "javascript"],
  [["pyproject.toml", "package.json", "a.py"], "python"],
  [["package.json", "tsconfig.json", "src/a.ts", "vite.config.js"], "typescript"],
  [["a.ts", "a.test.ts"], "typescript"],
  [["package.json", "tsconfig.json", "src/a.js", "src/b.js", "types.d.ts"], "javascript"],
  [["package.json", "go.mod", "main.go"], "go"],
  [["main.go", "README.md"], "go"],
  [["README.md"], null],
  [[], null],
])("%j is %s", (paths, name) => {
  expect(languages.detect(paths)?.name ?? null).toBe(name);
});

test("finds each language by its name", () => {
  expect(LanguageName.options.map((name) => languages.named(name).name)).toEqual(LanguageName.options);
});

test("without a language there are still the interpreters", async () => {
  const toolchain = await languages.toolchain(null, "/");
  expect(toolchain.versions.node).toBe(process.version);
  expect(toolchain.versions.python).toMatch(/^3\./);
});

test("looks for a toolchain once", async () => {
  const python = languages.named("python");
  expect(await languages.toolchain(python, "/usr")).toBe(await languages.toolchain(python, "/usr"));
});
