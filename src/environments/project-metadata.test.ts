import { expect, test } from "vitest";
import { projectMetadata } from "./project-metadata.ts";

const metadata = (files: Record<string, string>) =>
  projectMetadata({ paths: Object.keys(files), read: (path) => files[path] ?? null });
const dynamic = '[project]\nname = "own-name"\ndynamic = ["version"]\n';

test.each([
  ["the manifest", { "pyproject.toml": '[project]\nname = "own"\nversion = "1.2"\n' }, "1.2"],
  ["poetry", { "pyproject.toml": '[tool.poetry]\nname = "own"\nversion = "2.0"\n' }, "2.0"],
  [
    "a file that hatch is pointed to",
    {
      "pyproject.toml": `${dynamic}[tool.hatch.version]\npath = "src/about.py"\n`,
      "src/about.py": '__version__ = "3.1"\n',
    },
    "3.1",
  ],
  [
    "an attribute that setuptools is pointed to",
    {
      "pyproject.toml": `${dynamic}[tool.setuptools.dynamic]\nversion = { attr = "pkg.meta.VERSION" }\n`,
      "src/pkg/meta.py": "VERSION: str = '4.0'\n",
    },
    "4.0",
  ],
  ["the module of its name", { "pyproject.toml": dynamic, "own_name/__init__.py": '__version__ = "5.0"\n' }, "5.0"],
  ["only a repository", { "pyproject.toml": dynamic }, null],
  [
    "only a repository, whatever else it says",
    { "pyproject.toml": '[project]\nname = "own"\nversion = "x\\ny"\n' },
    null,
  ],
])("a version is known from %s", (_, files, version) => {
  expect(metadata(files)).toMatchObject({ version });
});

test("files of the version are those that a build writes, inside of the project, and that are not there", () => {
  const text = `${dynamic}[tool.setuptools_scm]\nwrite_to = "../outside.py"\nversion_file = "src/own/_version.py"\n`;
  expect(metadata({ "pyproject.toml": text })?.versionFiles).toEqual(["src/own/_version.py"]);
  expect(metadata({ "pyproject.toml": text, "src/own/_version.py": "" })?.versionFiles).toEqual([]);
});

test("what names no project is none", () => {
  expect(metadata({})).toBeNull();
  expect(metadata({ "pyproject.toml": "[project" })).toBeNull();
  expect(metadata({ "pyproject.toml": '[project]\nname = "../x"\n' })).toBeNull();
  expect(metadata({ "pyproject.toml": "[tool.ruff]\nline-length = 100\n" })).toBeNull();
});
