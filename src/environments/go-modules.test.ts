import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { EnvironmentPlace, outcomes } from "../../test/environment-place.ts";
import type { MadePackage } from "../../test/package-index.ts";
import { withGo } from "../../test/with-go.ts";
import { goNeeds } from "./go-needs.ts";

vi.setConfig({ testTimeout: 180_000 });

const MODULE: MadePackage = {
  language: "go",
  name: "example.test/tiny",
  version: "v1.0.0",
  files: { "go.mod": "module example.test/tiny\n", "tiny.go": 'package tiny\n\nconst Word = "from the module"\n' },
};

let place: EnvironmentPlace;
beforeAll(async () => {
  place = await EnvironmentPlace.open([MODULE]);
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(() => place.clear());

const files = (sum: string) => ({
  "go.mod": "module own\n\ngo 1.19\n\nrequire example.test/tiny v1.0.0\n",
  "go.sum": sum,
});

withGo("tests see the modules that go.mod asks for", async () => {
  const tree = files(place.index.goSum(MODULE.name, MODULE.version));
  const housing = await place.house("go", tree);
  expect(housing, JSON.stringify(housing)).toMatchObject({
    kind: "built",
    record: { packages: { "example.test/tiny": "v1.0.0" }, locked: true },
  });
  const report = await place.tests("go", housing, {
    ...tree,
    "own_test.go":
      'package own\n\nimport (\n\t"testing"\n\n\t"example.test/tiny"\n)\n\nfunc TestWord(t *testing.T) {\n\tif tiny.Word != "from the module" {\n\t\tt.Fatal(tiny.Word)\n\t}\n}\n',
  });
  expect(outcomes(report), report.output).toEqual(["passed"]);
});

withGo("a module that is not what go.sum says, or cannot be had, is named", async () => {
  const sum = place.index.goSum(MODULE.name, MODULE.version);
  expect(await place.house("go", files(sum.replace(/h1:.{8}/, "h1:AAAAAAAA")))).toMatchObject({
    kind: "missing",
    problem: expect.stringContaining("example.test/tiny@v1.0.0 does not have the hash of go.sum"),
  });
  const missing = { "go.mod": "module own\n\nrequire example.test/none v1.0.0\n", "go.sum": "" };
  expect(await place.house("go", missing)).toMatchObject({
    problem: expect.stringContaining("example.test/none@v1.0.0 cannot be had"),
  });
});

const needs = (tree: Record<string, string>) =>
  goNeeds({ paths: Object.keys(tree), read: (path) => tree[path] ?? null });

test("requirements are read in all forms, without those that another path stands for", () => {
  const text = `module own
require one.test/a v1.0.0 // indirect
require (
	one.test/b v2.0.0
	"one.test/c" v0.0.0-20200101000000-abcdef123456
	one.test/local v0.0.0
)
replace one.test/local => ./local
`;
  const found = needs({ "go.mod": text, "local/go.mod": "module one.test/local\n", "other/go.mod": "module other\n" });
  expect(found?.modules.map(({ path }) => path)).toEqual(["one.test/b", "one.test/c", "one.test/a"]);
  expect(found?.from).toEqual(["go.mod", "local/go.mod"]);
  expect(found?.locked).toBe(false);
});

test("a tree that brings its modules, or needs none, asks for nothing", () => {
  const manifest = { "go.mod": "module own\nrequire one.test/a v1.0.0\n" };
  expect(needs({ ...manifest, "vendor/modules.txt": "" })).toBeNull();
  expect(needs({ "go.mod": "module own\n" })).toBeNull();
  expect(needs(manifest)).not.toBeNull();
});
