import { describe, expect, test } from "vitest";
import { treeOf } from "../../test/environment-place.ts";
import { withPackage } from "./add-package.ts";

const facts = { name: "tiny", version: "2.0", licence: null, releasedAt: null, releases: 1, from: "i", remarks: [] };
const python = (files: Record<string, string>, range = "") =>
  withPackage(treeOf(files), { language: "python", name: "tiny", range }, facts);
const javascript = (files: Record<string, string>, range = "") =>
  withPackage(treeOf(files), { language: "javascript", name: "tiny", range }, { ...facts, version: "2.0.1" });

describe("a package of Python's", () => {
  test("is a line of requirements.txt where no manifest says otherwise", () => {
    expect(python({})).toEqual({ path: "requirements.txt", content: "tiny==2.0\n" });
    expect(python({ "requirements.txt": "# ours\nattrs" })).toMatchObject({ content: "# ours\nattrs\ntiny==2.0\n" });
    expect(python({ "pyproject.toml": "[tool.ruff]\n" }, ">=1,<3")).toMatchObject({ content: "tiny>=1,<3\n" });
  });

  test.each([
    ['[project]\nname = "own"\ndependencies = []\n', '[project]\nname = "own"\ndependencies = ["tiny>=2.0"]\n'],
    [
      '[project]\ndependencies = ["attrs[x]>=1"] # a ] comes\nname = "own"\n',
      '[project]\ndependencies = ["attrs[x]>=1", "tiny>=2.0"] # a ] comes\nname = "own"\n',
    ],
    [
      '[project]\nname = "own"\ndependencies = [\n    "attrs", # why ]\n    "click"\n]\n\n[tool.x]\n',
      '[project]\nname = "own"\ndependencies = [\n    "attrs", # why ]\n    "click",\n    "tiny>=2.0",\n]\n\n[tool.x]\n',
    ],
    [
      '[build-system]\nrequires = ["x"]\n\n[project]\nname = "own"\n\n[project.scripts]\na = "b:c"\n',
      '[build-system]\nrequires = ["x"]\n\n[project]\nname = "own"\ndependencies = ["tiny>=2.0"]\n\n[project.scripts]\na = "b:c"\n',
    ],
  ])("stands in the list of pyproject.toml, which stays as it was otherwise (%#)", (before, after) => {
    expect(python({ "pyproject.toml": before })).toEqual({ path: "pyproject.toml", content: after });
  });

  test("is left to an edit where the form of the manifest is not known", () => {
    const commented = '[project]\nname = "own"\ndependencies = [\n  "attrs" # last\n]\n';
    expect(python({ "pyproject.toml": commented })).toMatchObject({ problem: expect.stringContaining("by an edit") });
    const inline = 'project = { name = "own", dependencies = ["attrs"] }\n';
    expect(python({ "pyproject.toml": inline })).toMatchObject({ problem: expect.stringContaining("by an edit") });
  });

  test("goes into requirements.txt where the build reads it from there", () => {
    const pyproject = '[project]\nname = "own"\ndynamic = ["dependencies"]\n';
    expect(python({ "pyproject.toml": pyproject, "requirements.txt": "" })).toMatchObject({ path: "requirements.txt" });
  });

  test("is not named twice", () => {
    expect(python({ "requirements-dev.txt": "Tiny>=1\n" })).toMatchObject({
      problem: expect.stringContaining("already"),
    });
    expect(python({ "pyproject.toml": '[project]\ndependencies = ["tiny"]\n' })).toMatchObject({
      problem: expect.stringContaining("already"),
    });
  });
});

describe("a package of npm's", () => {
  test("stands among its like, and the rest of package.json keeps its order and its form", () => {
    const before = '{\n\t"scripts": {"test": "node --test"},\n\t"dependencies": {"zod": "1"},\n\t"name": "own"\n}';
    const after =
      '{\n\t"scripts": {\n\t\t"test": "node --test"\n\t},\n\t"dependencies": {\n\t\t"tiny": "^2.0.1",\n\t\t"zod": "1"\n\t},\n\t"name": "own"\n}';
    expect(javascript({ "package.json": before })).toEqual({ path: "package.json", content: after });
    expect(javascript({}, "~2.0")).toMatchObject({
      content: '{\n  "private": true,\n  "dependencies": {\n    "tiny": "~2.0"\n  }\n}\n',
    });
  });

  test("is not named twice, and not written into what cannot be read", () => {
    expect(javascript({ "package.json": '{"devDependencies":{"tiny":"1"}}' })).toHaveProperty("problem");
    expect(javascript({ "package.json": "{" })).toEqual({ problem: "package.json cannot be read" });
  });
});
