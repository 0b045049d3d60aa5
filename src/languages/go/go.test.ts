import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMITS, outcomes, SampleProject, withoutTimes } from "../../../test/sample-project.ts";
import { withGo } from "../../../test/with-go.ts";
import { passes } from "../../domain/evidence/test-report.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { traceTests } from "../trace-tests.ts";
import { compiledPackages } from "./build-cache.ts";
import { anyGo } from "./find-go.ts";
import { Go } from "./go.ts";

const PROJECT = {
  "go.mod": "module example.com/calc\n\ngo 1.19\n",
  "calc.go": `package calc

func Add(a, b int) int {
	return a + b
}

func Sign(n int) string {
	if n < 0 {
		return "minus"
	}
	return "plus"
}
`,
  "sub/sub.go": "package sub\n\nfunc One() int { return 1 }\n",
};

const KINDS = `package calc

import "testing"

func TestAdds(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want int
	}{{"two", 1, 1, 2}, {"wrong", 1, 1, 3}} {
		t.Run(c.name, func(t *testing.T) {
			if got := Add(c.a, c.b); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestPanics(t *testing.T) { panic("boom") }

func TestAfter(t *testing.T) {}

func TestLater(t *testing.T) { t.Skip("not yet") }

func FuzzAdd(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) {
		if Add(a, b) != Add(b, a) {
			t.Error("order counts")
		}
	})
}
`;

withGo("reports each test, its parts and seeds, and what a panic kept from running", async () => {
  using project = new SampleProject({
    ...PROJECT,
    "calc_test.go": KINDS,
    "sub/sub_test.go":
      'package sub_test\n\nimport (\n\t"testing"\n\n\t"example.com/calc/sub"\n)\n\nfunc TestOne(t *testing.T) {\n\tif sub.One() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    "broken/broken_test.go": 'package broken\n\nimport "testing"\n\nfunc TestGone(t *testing.T) { Gone() }\n',
  });
  const go = new Go({ PATH: "/usr/bin" });
  const report = await project.run(go);
  expect(outcomes(report)).toEqual({
    "broken/broken_test.go::file": "error",
    "calc_test.go::TestAdds": "failed",
    "calc_test.go::TestAdds/two": "passed",
    "calc_test.go::TestAdds/wrong": "failed",
    "calc_test.go::TestPanics": "failed",
    "calc_test.go::TestAfter": "passed",
    "calc_test.go::TestLater": "skipped",
    "calc_test.go::FuzzAdd": "passed",
    "calc_test.go::FuzzAdd/seed#0": "passed",
    "sub/sub_test.go::TestOne": "passed",
  });
  expect(report).toMatchObject({ ending: "completed", command: "go test ./..." });
  const message = (id: string) => report.tests.find((one) => one.id === id)?.message ?? "";
  expect(message("calc_test.go::TestAdds")).toContain("calc_test.go:12: got 2, want 3");
  expect(message("calc_test.go::TestPanics")).toMatch(/panic: boom(.|\n)*\/workspace\/calc_test\.go:18/);
  expect(message("broken/broken_test.go::file")).toContain("undefined: Gone");
  expect(withoutTimes(await project.run(go))).toEqual(withoutTimes(report));
  const only = await project.run(go, { files: ["sub/sub_test.go"] });
  expect(outcomes(only)).toEqual({ "sub/sub_test.go::TestOne": "passed" });
  expect(passes(only)).toBe(true);
});

withGo("tells which lines each test runs, and leaves nothing behind", async () => {
  using project = new SampleProject({
    ...PROJECT,
    "calc_test.go":
      'package calc\n\nimport "testing"\n\nfunc TestMinus(t *testing.T) {\n\tif Sign(-1) != "minus" {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestPlus(t *testing.T) {\n\tif Sign(1) != "plus" {\n\t\tt.Fatal()\n\t}\n}\n',
  });
  const go = new Go({ PATH: "/usr/bin" });
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const traced = await traceTests({
    language: go,
    sandbox,
    limits: LIMITS,
    workspace: project.directory,
    toolchain: await go.toolchain(project.directory),
    files: [],
    signal: new AbortController().signal,
    paths: ["calc.go"],
    read: (path) => project.read(path),
  });
  expect(passes(traced.report)).toBe(true);
  const lines = traced.lines?.get("calc.go");
  expect(lines?.get(4)).toBeUndefined();
  expect([...(lines?.get(8) ?? [])]).toEqual(["calc_test.go::TestMinus", "calc_test.go::TestPlus"]);
  expect([...(lines?.get(9) ?? [])]).toEqual(["calc_test.go::TestMinus"]);
  expect(existsSync(`${project.directory}/${go.testRun([]).reportFile}`)).toBe(false);
});

withGo("knows which mutants cannot be compiled", async () => {
  using project = new SampleProject({
    ...PROJECT,
    "other.go": "package calc\n\nfunc Twice(n int) int { return Add(n, n) }\n",
  });
  const go = new Go({ PATH: "/usr/bin" });
  const path = "calc.go";
  const content = PROJECT[path];
  const mutant = (old: string, replacement: string) => {
    const from = content.indexOf(old);
    return {
      id: old,
      path,
      line: 1,
      statement: { from: 1, to: 1 },
      operator: "constant" as const,
      from,
      to: from + old.length,
      replacement,
      description: "",
    };
  };
  const mutants = [mutant("a + b", "a - b"), mutant("a + b", '""'), mutant("return a + b", "")];
  const { argv, env, stdin } = go.comparison(new Map([[path, content]]), mutants);
  const { env: own, path: tools, mounts } = await go.toolchain(project.directory);
  await using sandbox = openSandbox({ backend: "bubblewrap" });
  const command = { argv, stdin, workspace: project.directory, mounts, path: tools, env: { ...own, ...env } };
  const { stdout } = await sandbox.run(command, LIMITS, new AbortController().signal);
  expect(stdout).toBe(".bb");
});

test("says what to do where there is no Go", async () => {
  await expect(new Go({ MIRACLE_GO: "/nowhere/go" }).toolchain("/")).rejects.toThrow("there is no Go: apt-get install");
  expect(anyGo({ MIRACLE_GO: "/nowhere/go" })).toBeNull();
});

test("a build cache is made whole or not at all", async () => {
  using made = new SampleProject({ "root/src/testing/x.go": "package testing\n", "root/pkg/tool/x": "" });
  const root = `${made.directory}/root`;
  expect(await compiledPackages(root, "1.99", { HOME: made.directory })).toBeNull();
  expect(readdirSync(`${made.directory}/.cache/miracle`)).toEqual([]);
  made.write(".cache/miracle/go-build-1.99/00/x", "");
  expect(await compiledPackages(root, "1.99", { HOME: made.directory })).toBe(
    `${made.directory}/.cache/miracle/go-build-1.99`,
  );
  made.write("root/pkg/linux_amd64/fmt.a", "");
  expect(await compiledPackages(root, "1.99", { HOME: made.directory })).toBeNull();
});

test("puts a test beside the code", () => {
  const go = new Go({});
  expect(go.testPath("add-unseen", ["go.mod"])).toBe("add_unseen_test.go");
  expect(go.testPath("parse", ["go.mod", "cmd/x/main.go", "lex/a.go", "lex/b.go"])).toBe("lex/parse_test.go");
  expect(
    ["a_test.go", "x/a_test.go", "testdata/a_test.go", "a.go", "vendor/x/a_test.go"].map((path) => go.isTestFile(path)),
  ).toEqual([true, true, false, false, false]);
});

const DEEP = {
  "go.mod": "module example.com/deep\n\ngo 1.19\n",
  "deep/deep.go": `package deep

func Halve(s string) string {
	if len(s) > 2 && s[0] == 'b' {
		panic("a bug")
	}
	return s[:len(s)/2]
}
`,
  "deep/deep_test.go": `package deep

import "testing"

func FuzzHalve(f *testing.F) {
	f.Add("ab")
	f.Fuzz(func(t *testing.T, s string) {
		if len(Halve(s)) > len(s) {
			t.Error("longer")
		}
	})
}

func FuzzFine(f *testing.F) {
	f.Add("ab")
	f.Fuzz(func(t *testing.T, s string) {})
}
`,
};

withGo("looks for inputs that fail within seconds where it is asked for, and tells the smallest one", async () => {
  using project = new SampleProject(DEEP);
  const go = new Go({ PATH: "/usr/bin" });
  expect(passes(await project.run(go))).toBe(true);
  const file = "deep/deep_test.go";
  // Go shares 100 MB with whoever tries the inputs.
  const limits = { diskMb: 512 };
  const report = await project.run(go, { limits, options: { fuzz: [file] } });
  expect(outcomes(report)).toEqual({
    [`${file}::FuzzHalve`]: "failed",
    [`${file}::FuzzHalve/seed#0`]: "passed",
    [`${file}::FuzzFine`]: "passed",
    [`${file}::FuzzFine/seed#0`]: "passed",
  });
  const message = report.tests.find(({ name }) => name === "FuzzHalve")?.message;
  expect(message).toMatch(/panic: a bug(.|\n)*fails with the input string\("b/);
  expect(readdirSync(`${project.directory}/deep`)).toEqual(["deep.go", "deep_test.go"]);
  // A repeat under other conditions does the same.
  const vary = { orderSeed: null, seed: 1, timeZone: "UTC" };
  expect(passes(await project.run(go, { limits, files: [file], options: { vary } }))).toBe(false);
});
