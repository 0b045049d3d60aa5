import { expect, test } from "vitest";
import { projectMetadata } from "./project-metadata.ts";
import { literalOf } from "./python-literals.ts";
import { readSetupCfg, readSetupPy } from "./read-setup.ts";

const SETUP = `
from setuptools import setup
name = "not this"
TESTS = [
    "pytest>=7",  # the runner
    'cov' "erage",
]
setup(
    name="own-name", version='1.2',
    install_requires=["attrs>=20; python_version > '3'", "x @ https://evil.test/x.whl",],
    extras_require={"test": TESTS, "docs": ["sphinx"]},
    entry_points={"console_scripts": ["own = own:main"]},
)
`;

test("requirements of a setup.py are read where they are written out", () => {
  const text = SETUP.replace('{"test": TESTS, ', '{"test": ["pytest>=7"], ');
  expect(readSetupPy(text)).toMatchObject({
    lines: ["attrs>=20; python_version > '3'", "pytest>=7"],
    left: ["setup.py: x @ https://evil.test/x.whl"],
  });
  expect(literalOf(SETUP, "TESTS")).toEqual(["pytest>=7", "coverage"]);
});

test.each([
  "install_requires=open('x').read().split()",
  "install_requires=['a'] + more",
  "install_requires=A)\nA = B\nB = A\nx(",
  `install_requires=${"[".repeat(100_000)}`,
  "install_requires=['a' if x else 'b']",
])("what is computed is left out and said: %s", (argument) => {
  expect(readSetupPy(`setup(${argument})\n`)).toMatchObject({
    lines: [],
    left: ["setup.py: install_requires is computed"],
  });
});

test("requirements of a setup.cfg are those of the project and its extras for tests", () => {
  const text = `[metadata]
name = own
[options]
install_requires =
    attrs
    # a comment
    click>=8
[options.extras_require]
testing = pytest; coverage
docs =
    sphinx
`.replace("pytest; coverage", "\n  pytest\n  coverage");
  expect(readSetupCfg(text)).toEqual({
    lines: ["attrs", "click>=8", "pytest", "coverage"],
    own: ["attrs", "click>=8"],
    left: [],
  });
});

test("a project that only setuptools knows seems installed like others", () => {
  const read = (files: Record<string, string>) =>
    projectMetadata({ paths: Object.keys(files), read: (path) => files[path] ?? null });
  expect(read({ "setup.py": SETUP.replace('name = "not this"\n', "") })).toMatchObject({
    name: "own-name",
    version: "1.2",
    entryPoints: "[console_scripts]\nown = own:main\n",
  });
  const cfg =
    "[metadata]\nname = own\nversion = attr: own.__version__\n[options.entry_points]\npytest11 =\n  own = own.p\n";
  expect(read({ "setup.cfg": cfg, "own/__init__.py": '__version__ = "3.0"\n' })).toMatchObject({
    name: "own",
    version: "3.0",
    entryPoints: "[pytest11]\nown = own.p\n",
  });
});
