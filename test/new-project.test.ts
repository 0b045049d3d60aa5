import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactsOfTask } from "../src/app/artifacts-of-task.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, roleOf } from "./scripted-goal.ts";
import { withGo } from "./with-go.ts";

test.each([
  ["an empty directory", {}],
  ["a directory that holds words for people and agents alone", { "README.md": "# adds\n", "AGENTS.md": "Be brief.\n" }],
])("a new project in %s is linted with what its language has: green tests are not enough", async (_, files) => {
  const odd = 'PATTERN = "\\d"\n\n\ndef add(a, b):\n    return a + b\n';
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: odd }),
        call("finish", { summary: "wrote add" }),
        call("edit_file", { path: "calc.py", oldText: 'PATTERN = "\\d"\n\n\n', newText: "" }),
        call("finish", { summary: "without the pattern" }),
      ],
      reflector: [call("finish", { cause: "an escape that is none", hypothesis: "leave it out", next: "code" })],
    }),
    files,
  );
  const app = await builder.open();
  const goal = "Write a module that adds two numbers";
  const end = await builder.start(app, { goal }, builder.settings({ checks: "language" }));
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const [first] = builder.events.filter((event) => event.type === "iteration-settled");
  expect(first?.iteration).toMatchObject({ number: 1, outcome: "red" });
  const requests = builder.server.requests.map(({ messages }) => JSON.stringify(messages));
  expect(requests.some((text) => /Checks of the project.*compileall|pyflakes|ruff/.test(text))).toBe(true);
  expect(requests.some((text) => text.includes("tests included, with"))).toBe(false);
  const recording = await app.recording(end.task);
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same" });
  const report = (await artifactsOfTask(app, { id: end.task })).find(({ path }) => path === "build_report.json");
  expect(JSON.parse(report?.content ?? "")).toMatchObject({ checks: [{ passed: true, fresh: [] }] });
});

interface Sample {
  language: string;
  path: string;
  /** Green, and a tool of the language complains about it. */
  odd: string;
  edit: { oldText: string; newText: string };
  beside?: { path: string; content: string };
  tests: string[];
  /** A test of `add(a, b)`. */
  testOf(a: number, b: number): { name: string; content: string };
  command: string;
  complaint: string;
}

const scripts = (ending: string): Pick<Sample, "tests" | "testOf"> => ({
  tests: [`test/add.test.${ending}`, `test/add-unseen.test.${ending}`],
  testOf: (a, b) => ({
    name: `adds ${a}`,
    content: `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { add } from "../src/calc.${ending}";\n\ntest("adds ${a}", () => assert.equal(add(${a}, ${b}), ${a + b}));\n`,
  }),
});
const SAMPLES: Sample[] = [
  {
    language: "typescript",
    path: "src/calc.ts",
    odd: "export function add(a: number, b: number): string {\n  return a + b;\n}\n",
    edit: { oldText: "): string", newText: "): number" },
    ...scripts("ts"),
    command: "tsc",
    complaint: "error TS2322",
  },
  {
    language: "javascript",
    path: "src/calc.js",
    odd: "export const add = (a, b) => a + b;\n",
    // No test loads it.
    beside: { path: "src/later.js", content: "export const later = ;\n" },
    edit: { oldText: "= ;", newText: "= 1;" },
    ...scripts("js"),
    command: "node --check",
    complaint: "SyntaxError",
  },
  {
    language: "go",
    path: "calc.go",
    odd: "package calc\n\n// Add returns the sum.\nfunc Add(a, b int) int {\n\ta = a\n\treturn a + b\n}\n",
    edit: { oldText: "\ta = a\n", newText: "" },
    tests: ["add_test.go", "add_unseen_test.go"],
    testOf: (a, b) => ({
      name: `TestAdds${a}`,
      content: `package calc\n\nimport "testing"\n\nfunc TestAdds${a}(t *testing.T) {\n\tif got := Add(${a}, ${b}); got != ${a + b} {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n`,
    }),
    command: "go vet",
    complaint: "self-assignment",
  },
];

for (const sample of SAMPLES) {
  const tested = sample.language === "go" ? withGo : test;
  tested(`a new project in ${sample.language} is checked with ${sample.command}`, async () => {
    const { language, path, odd, edit, beside, tests, testOf, command, complaint } = sample;
    const [seen, unseen] = [testOf(2, 3), testOf(20, 22)];
    const [planned] = addGoal.planner;
    if (typeof planned?.arguments !== "object") throw new Error("the plan is no object");
    const file = (path: string | undefined, { name, content }: typeof seen, heldOut: boolean) => {
      return { path, content, heldOut, todo: "add", covers: [{ test: name, requirement: "R1" }] };
    };
    const builder = await AppBuilder.create(
      byRole({
        planner: [call("finish", { ...planned.arguments, language })],
        tester: [call("finish", { files: [file(tests[0], seen, false), file(tests[1], unseen, true)] })],
        coder: [
          call("create_file", { path, content: odd }),
          ...(beside ? [call("create_file", beside)] : []),
          call("finish", { summary: "wrote add" }),
          call("edit_file", { path: (beside ?? sample).path, ...edit }),
          call("finish", { summary: "mended" }),
        ],
        reflector: [call("finish", { cause: "the check is red", hypothesis: "mend it", next: "code" })],
      }),
    );
    // Packages are not the project's: here is the compiler.
    symlinkSync(join(import.meta.dirname, "../node_modules"), join(builder.directory, "node_modules"));
    const app = await builder.open();
    const goal = "Write a module that adds two numbers";
    await builder.startUntil(app, "todo-settled", { goal }, builder.settings({ checks: "language" }));
    const iterations = builder.events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
    expect(iterations.map(({ outcome }) => outcome)).toEqual(["red", "green"]);
    expect(iterations[0]?.red.join()).toContain(command);
    const reflecting = builder.server.requests.filter((request) => roleOf(request) === "reflector");
    expect(JSON.stringify(reflecting)).toContain(complaint);
  });
}
