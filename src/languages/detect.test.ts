import { expect, test } from "vitest";
import { openLanguages } from "./open-languages.ts";

const languages = openLanguages({ env: { PATH: "/usr/bin" }, execPath: process.execPath, version: process.version });

test.each([
  [["pyproject.toml", "src/a.py"], "python"],
  [["a.py", "README.md"], "python"],
  [["package.json", "src/a.js"], "javascript"],
  [["a.mjs", "b.mjs"], "javascript"],
  [["pyproject.toml", "package.json", "a.py"], "python"],
  [["main.go", "go.mod"], null],
  [["README.md"], null],
  [[], null],
])("%j is %s", (paths, name) => {
  expect(languages.detect(paths)?.name ?? null).toBe(name);
});

test("finds each language by its name", () => {
  expect([languages.named("python").name, languages.named("javascript").name]).toEqual(["python", "javascript"]);
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
