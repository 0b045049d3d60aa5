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
  const facts: FileFacts = { file, before, after, named: false, isRead: () => false, noticed: false, ...more };
  return accountOfFile(facts).map((line) => line.standing);
}

test.each(["pytest.ini", "jest.config.js", "conftest.py"])("%s says nothing outside of tests", (path) => {
  expect(standing(path, "test-config", "a", "b")).toEqual(["inert"]);
});

test.each(["sitecustomize.py", "a.pth", "vite.config.js", ".babelrc", "noxfile.py", "pytest.py"])(
  "%s steers more than tests",
  (path) => expect(standing(path, "test-config", "a", "b")).toEqual(["not-judged"]),
);

const manifest = (fields: object) => JSON.stringify({ name: "a", ...fields });

test("a manifest that only describes otherwise is inert, unless code reads it, or it is a package of its own", () => {
  const [old, now] = [manifest({ homepage: "a" }), manifest({ homepage: "b" })];
  expect(standing("package.json", "other", old, now)).toEqual(["inert"]);
  const isRead = (field: string) => field === "homepage";
  expect(standing("package.json", "other", old, now, { isRead })).toEqual(["not-judged"]);
  expect(standing("lib/package.json", "other", null, '{ "description": "a" }')).toEqual(["not-judged"]);
});

test("of scripts only those of tests are a matter of tests, also where tests run another one first", () => {
  const scripts = (build: string, own: string) =>
    manifest({ scripts: { build, test: `npm run build && ${own}` }, babel: {} });
  const of = (after: string) => standing("package.json", "test-config", scripts("tsc", "node --test"), after);
  expect(of(scripts("tsc", "node --test a"))).toEqual(["inert"]);
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
