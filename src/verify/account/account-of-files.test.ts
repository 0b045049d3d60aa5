import { expect, test } from "vitest";
import type { Entry } from "../../workspace/tree.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { accountOfFile, type FileFacts } from "./account-of-files.ts";

const entry = (path: string, id: string): Entry => ({ path, kind: "file", id, permissions: 0o644 });

function standing(path: string, part: ChangedFile["part"], before: string | null, after: string | null, more = {}) {
  const sides = {
    before: before === null ? null : entry(path, "1"),
    after: after === null ? null : entry(path, "2"),
  };
  const file: ChangedFile = { path, part, change: "modified", ...sides };
  const unknown = { named: false, isRead: () => false, noticed: false, used: false, ignores: () => false };
  const facts: FileFacts = { file, before, after, ...unknown, ...more };
  return accountOfFile(facts).map((line) => line.standing);
}

const manifest = (fields: object) => JSON.stringify({ name: "a", ...fields });

test.each(["pytest.ini", "jest.config.js", "conftest.py"])("%s is judged only where tests ran with it", (path) => {
  expect(standing(path, "test-config", "a", "b", { used: true })).toEqual(["inert"]);
  expect(standing(path, "test-config", "a", "b")).toEqual(["not-judged"]);
});

test("marks of pytest steer no test", () => {
  const settings = "[pytest]\naddopts = -q\n";
  expect(standing("pytest.ini", "test-config", settings, `${settings}markers =\n  slow: takes long\n`)).toEqual([
    "inert",
  ]);
});

test("setup files of tests are judged only where tests ran with them", () => {
  expect(standing("test/setup.js", "test-support", "a", "b", { used: true })).toEqual(["inert"]);
  expect(standing("test/setup.js", "test-support", "a", "b")).toEqual(["not-judged"]);
});

test("settings of tests that code imports are not judged", () => {
  const file: ChangedFile = {
    ...{ path: "karma.config.js", part: "test-config", change: "modified", imported: true },
    ...{ before: entry("karma.config.js", "1"), after: entry("karma.config.js", "2") },
  };
  expect(standing("karma.config.js", "test-config", "a", "b", { file, used: true })).toEqual(["not-judged"]);
});

test(".gitignore is for people unless it ignores what the project holds", () => {
  const ignores = (patterns: string[]) => patterns.includes("lib/");
  expect(standing(".gitignore", "other", "# a\n", "# a\n.cache/\n", { ignores })).toEqual(["inert"]);
  expect(standing(".gitignore", "other", "# a\n", "# a\nlib/\n", { ignores })).toEqual(["not-judged"]);
  expect(standing(".gitignore", "other", "lib/\n", "lib/\n.cache/\n", { ignores })).toEqual(["inert"]);
});

test("the order of `exports` counts, that of packages does not", () => {
  const exported = (exports: object) =>
    standing("package.json", "other", manifest({ exports: { a: 1, b: 2 } }), manifest({ exports }));
  expect(exported({ b: 2, a: 1 })).toEqual(["not-judged"]);
  const packages = (dependencies: object) => manifest({ dependencies });
  expect(standing("package.json", "other", packages({ a: "1", b: "2" }), packages({ b: "2", a: "1" }))).toEqual([
    "inert",
  ]);
});

test.each(["sitecustomize.py", "a.pth", "vite.config.js", ".babelrc", "noxfile.py", "pytest.py"])(
  "%s steers more than tests",
  (path) => expect(standing(path, "test-config", "a", "b")).toEqual(["not-judged"]),
);

test("a manifest that only describes otherwise is inert, unless code reads it, or it is a package of its own", () => {
  const [old, now] = [manifest({ homepage: "a" }), manifest({ homepage: "b" })];
  expect(standing("package.json", "other", old, now)).toEqual(["inert"]);
  const isRead = (field: string) => field === "homepage";
  expect(standing("package.json", "other", old, now, { isRead })).toEqual(["not-judged"]);
  expect(standing("lib/package.json", "other", null, '{ "description": "a" }')).toEqual(["not-judged"]);
});

test("scripts are not judged, those of tests included", () => {
  const scripts = (build: string, own: string) =>
    manifest({ scripts: { build, test: `npm run build && ${own}` }, babel: {} });
  const of = (after: string) => standing("package.json", "test-config", scripts("tsc", "node --test"), after);
  expect(of(scripts("tsc", "node --test || true"))).toEqual(["not-judged"]);
  expect(of(scripts("tsc && other", "node --test"))).toEqual(["not-judged"]);
  expect(of(scripts("tsc", "node --test").replace('"babel":{}', '"babel":{"plugins":["./a"]}'))).toEqual([
    "not-judged",
  ]);
});

test("types are gone when the program runs, unless code reads the stub itself", () => {
  expect(standing("shop/__init__.pyi", "source", "a", "b")).toEqual(["inert"]);
  expect(standing("shop/__init__.pyi", "source", "a", "b", { named: true })).toEqual(["not-judged"]);
  expect(standing("a.d.ts", "source", "a", "b", { named: true })).toEqual(["inert"]);
});

test("a program among the tests that a Makefile starts is no inert test: no runner of ours ran it", () => {
  const more = { used: true, startedBy: "Makefile" };
  expect(standing("tests/smoke.sh", "test-support", "a", "b", more)).toEqual(["not-judged"]);
  expect(standing("tests/smoke.sh", "test-support", "a", "b", { used: true })).toEqual(["inert"]);
});

test("of a pyproject.toml only what describes the package to people is inert, and the rest is named", () => {
  const said = (fields: string) => `[build-system]\nrequires = ["a"]\n\n[project]\nname = "a"\n${fields}`;
  const of = (before: string, after: string, more = {}) => {
    const path = "pyproject.toml";
    const file: ChangedFile = {
      ...{ path, part: "test-config", change: "modified" },
      ...{ before: entry(path, "1"), after: entry(path, "2") },
    };
    const unknown = { named: false, isRead: () => false, noticed: false, used: true, ignores: () => false };
    return accountOfFile({ file, before: said(before), after: said(after), ...unknown, ...more });
  };
  expect(of('version = "1"\n', 'version = "2"\nclassifiers = ["x"]\n')).toMatchObject([{ standing: "inert" }]);
  expect(of('version = "1"\n', 'version = "2"\n', { isRead: () => true })).toMatchObject([
    { standing: "not-judged", why: "nothing shows what `project.version` of it does" },
  ]);
  expect(of('version = "1"\n', 'version = "2"\nscripts = { a = "a:b" }\n')).toMatchObject([
    { standing: "not-judged", why: "nothing shows what `project.scripts` of it does" },
  ]);
  expect(of('version = "1"\n', 'version = "1.0 (final)"\n')).toMatchObject([{ standing: "not-judged" }]);
  expect(of("classifiers = []\n", 'classifiers = ["Private :: No"]\n')).toMatchObject([{ standing: "not-judged" }]);
  expect(of("", "[tool.pytest.ini_options]\nxfail_strict = true\n")).toMatchObject([{ standing: "inert" }]);
});
