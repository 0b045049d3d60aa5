import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call, roleOf, type ScriptedRoles } from "./scripted-goal.ts";
import { withGo } from "./with-go.ts";

const planned = (language: string, name: string) =>
  call("finish", {
    size: "small",
    title: "split a bill",
    kind: "feature",
    language,
    requirements: [
      {
        id: "R1",
        text: `${name} divides an amount in cents among people; the first ones pay the cents that are left over`,
        quote: "divides an amount in cents among people",
        example: { input: "100 cents, 3 people", output: "34, 33, 33" },
      },
    ],
    todos: [{ id: "split", title: "write it" }],
  });
const covers = (name: string) => [{ test: name, requirement: "R1" }];

async function run(roles: ScriptedRoles) {
  const builder = await AppBuilder.create(byRole(roles));
  const app = await builder.open();
  const end = await builder.start(app, { goal: "A library that divides an amount in cents among people" });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  const toTester = builder.server.requests.find((request) => roleOf(request) === "tester");
  return { builder, end, evidence, replayed, toTester: JSON.stringify(toTester?.body) };
}

test("a goal in TypeScript is proven in an empty directory, with a held-out test that the coder never sees", async () => {
  const content = (
    title: string,
    cents: number,
    people: number,
    shares: number[],
  ) => `import assert from "node:assert/strict";
import { test } from "node:test";
import { type Shares, split } from "../src/split.ts";

test("${title}", () => {
  const shares: Shares = split(${cents}, ${people});
  assert.deepEqual(shares, ${JSON.stringify(shares)});
});
`;
  const { builder, end, evidence, replayed, toTester } = await run({
    planner: [planned("typescript", "split(cents, people) of src/split.ts")],
    tester: [
      call("finish", {
        files: [
          {
            path: "test/split.test.ts",
            content: content("splits", 100, 3, [34, 33, 33]),
            todo: "split",
            covers: covers("splits"),
          },
          {
            path: "test/split-unseen.test.ts",
            content: content("splits more", 11, 4, [3, 3, 3, 2]),
            heldOut: true,
            todo: "split",
            covers: covers("splits more"),
          },
        ],
      }),
    ],
    coder: [
      call("create_file", {
        path: "src/split.ts",
        content:
          "export type Shares = number[];\n\nexport function split(cents: number, people: number): Shares {\n  const left = cents % people;\n  return Array.from({ length: people }, (_, index) => Math.floor(cents / people) + (index < left ? 1 : 0));\n}\n",
      }),
      call("finish", { summary: "done" }),
    ],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(evidence?.tests.map(({ id, after }) => `${id} ${after}`)).toEqual([
    "test/split.test.ts::splits passed",
    "test/split-unseen.test.ts::splits more passed",
  ]);
  expect(Object.keys(builder.files())).toEqual(["package.json", "src/split.ts", "test/split.test.ts", "tsconfig.json"]);
  expect(toTester).toContain("Node runs the TypeScript as it is");
  expect(toTester).toContain("split: test/split.test.ts, held-out test/split-unseen.test.ts");
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

withGo("a goal in Go is proven in an empty directory, with a held-out test that the coder never sees", async () => {
  const content = (name: string, cents: number, people: number, shares: number[]) => `package split

import (
	"reflect"
	"testing"
)

func ${name}(t *testing.T) {
	want := []int{${shares.join(", ")}}
	if got := Split(${cents}, ${people}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
`;
  const { builder, end, evidence, replayed, toTester } = await run({
    planner: [planned("go", "Split(cents, people int) []int of package split")],
    tester: [
      call("finish", {
        files: [
          {
            path: "split_test.go",
            content: content("TestSplits", 100, 3, [34, 33, 33]),
            todo: "split",
            covers: covers("TestSplits"),
          },
          {
            path: "split_unseen_test.go",
            content: content("TestSplitsMore", 11, 4, [3, 3, 3, 2]),
            heldOut: true,
            todo: "split",
            covers: covers("TestSplitsMore"),
          },
        ],
      }),
    ],
    coder: [
      call("create_file", {
        path: "split.go",
        content:
          "package split\n\n// Split divides cents among people.\nfunc Split(cents, people int) []int {\n\tshares := make([]int, people)\n\tfor index := range shares {\n\t\tshares[index] = cents / people\n\t\tif index < cents%people {\n\t\t\tshares[index]++\n\t\t}\n\t}\n\treturn shares\n}\n",
      }),
      call("run_tests", {}),
      call("finish", { summary: "done" }),
    ],
  });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(evidence?.tests.map(({ id, after }) => `${id} ${after}`)).toEqual([
    "split_test.go::TestSplits passed",
    "split_unseen_test.go::TestSplitsMore passed",
  ]);
  expect(Object.keys(builder.files())).toEqual(["go.mod", "split.go", "split_test.go"]);
  expect(toTester).toContain("split: split_test.go, held-out split_unseen_test.go");
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

withGo(
  "a bug that no named input shows is found by a fuzz test of the goal, told to the coder, and mended",
  async () => {
    const unseen =
      'package split\n\nimport "testing"\n\nfunc TestSplitsMore(t *testing.T) {\n\tif got := Split(11, 4); got[0] != 3 || got[3] != 2 {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n';
    const content = `package split

import "testing"

func FuzzSplit(f *testing.F) {
	f.Add(uint16(100), uint8(3))
	f.Fuzz(func(t *testing.T, cents uint16, others uint8) {
		shares := Split(int(cents), int(others)+1)
		sum := 0
		for _, share := range shares {
			sum += share
		}
		if sum != int(cents) {
			t.Errorf("%v are %d, want %d", shares, sum, cents)
		}
	})
}
`;
    const code = (limit: string) =>
      `package split\n\n// Split divides cents among people.\nfunc Split(cents, people int) []int {\n\tshares := make([]int, people)\n\tfor index := range shares {\n\t\tshares[index] = cents / people\n\t\tif ${limit} {\n\t\t\tshares[index]++\n\t\t}\n\t}\n\treturn shares\n}\n`;
    const { builder, end } = await run({
      planner: [planned("go", "Split(cents, people int) []int of package split")],
      tester: [
        call("finish", {
          files: [
            { path: "split_test.go", content, todo: "split", covers: covers("FuzzSplit") },
            {
              path: "split_unseen_test.go",
              content: unseen,
              heldOut: true,
              todo: "split",
              covers: covers("TestSplitsMore"),
            },
          ],
        }),
      ],
      coder: [
        call("create_file", { path: "split.go", content: code("index < cents%people && index < 4") }),
        call("finish", { summary: "done" }),
        call("edit_file", { path: "split.go", oldText: " && index < 4", newText: "" }),
        call("finish", { summary: "every cent is paid" }),
      ],
      reflector: [call("finish", { cause: "only four pay more", hypothesis: "all who are first", next: "code" })],
    });
    expect(end).toMatchObject({ outcome: { status: "proven" } });
    const reflected = builder.server.requests.find((request) =>
      JSON.stringify(request.body).includes("fails with the input"),
    );
    expect(JSON.stringify(reflected?.body)).toMatch(/fails with the input uint16\(\d+\) (?:byte|uint8)\(/);
    const settled = builder.events.flatMap((event) =>
      event.type === "iteration-settled" ? [event.iteration.outcome] : [],
    );
    expect(settled).toEqual(["red", "green"]);
  },
);
