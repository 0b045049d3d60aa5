import { expect, test } from "vitest";
import { AppBuilder } from "./app-builder.ts";
import { byRole, call, roleOf } from "./scripted-goal.ts";

const testOf = (name: string, body: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/numbers.js";\n\ntest("${name} works", () => {\n  ${body}\n});\n`;

const twoTodos = {
  planner: [
    call("finish", {
      size: "large",
      title: "numbers",
      kind: "feature",
      language: "javascript",
      requirements: [
        { id: "R1", text: "double(n) in src/numbers.js", quote: "doubles", example: { input: "2", output: "4" } },
        { id: "R2", text: "halve(n) in src/numbers.js", quote: "and quarters them" },
      ],
      todos: [
        { id: "double", title: "write double", requirements: ["R1"], artifacts: ["src/numbers.js"] },
        {
          id: "halve",
          title: "write halve",
          requirements: ["R2"],
          dependsOn: ["double"],
          artifacts: ["src/numbers.js"],
        },
      ],
    }),
  ],
  tester: [
    call("finish", {
      files: [
        {
          path: "test/double.test.js",
          content: testOf("double", "assert.equal(double(2), 4);"),
          todo: "double",
          covers: [{ test: "double works", requirement: "R1" }],
        },
        {
          path: "test/double-unseen.test.js",
          content: testOf("double", "assert.equal(double(21), 42);"),
          heldOut: true,
          todo: "double",
          covers: [{ test: "double works", requirement: "R1" }],
        },
        {
          path: "test/halve-unseen.test.js",
          content: testOf("halve", "assert.equal(halve(90), 45);"),
          heldOut: true,
          todo: "halve",
          covers: [{ test: "halve works", requirement: "R2" }],
        },
        {
          path: "test/halve.test.js",
          content: testOf("halve", "assert.equal(halve(4), 2);"),
          todo: "halve",
          covers: [{ test: "halve works", requirement: "R2" }],
        },
      ],
    }),
  ],
  coder: [
    call("create_file", { path: "src/numbers.js", content: "export const double = (n) => n * 2;\n" }),
    call("finish", { summary: "wrote double" }),
    call("edit_file", {
      path: "src/numbers.js",
      oldText: "export const double",
      newText: "export const halve = (n) => n / 2;\nexport const double",
    }),
    call("finish", { summary: "wrote halve" }),
  ],
};

test("a second todo's coder is shown what the first one left, and its own tests", async () => {
  const builder = await AppBuilder.create(byRole(twoTodos));
  const app = await builder.open();
  const end = await builder.start(app, { goal: "A module that doubles and halves numbers" });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const files = ["package.json", "src/numbers.js", "test/double.test.js", "test/halve.test.js"];
  expect(Object.keys(builder.files())).toEqual(files);

  const briefs = builder.server.requests
    .filter((request) => roleOf(request) === "coder")
    .map((request) => request.messages[0]?.text ?? "");
  const [first = "", , second = ""] = briefs;
  expect(first).toContain("assert.equal(double(2), 4)");
  expect(first).toContain("# Project files\npackage.json\ntest/double.test.js\n\n");
  expect(second).toContain("assert.equal(halve(4), 2)");
  expect(second).not.toContain("assert.equal(double(2), 4)");
  expect(second).toContain("- test/double.test.js");
  expect(second).toContain(`# Project files\n${files.join("\n")}\n`);
  expect(second).toContain("src/numbers.js\n```\nexport const double = (n) => n * 2;\n```");
});

test("words that the goal does not say make no quote: the requirement is an assumption", async () => {
  const builder = await AppBuilder.create(byRole(twoTodos));
  const app = await builder.open();
  await builder.startUntil(app, "plan-made", { goal: "A module that Doubles,\nand halves numbers" });
  const plan = builder.events.find((event) => event.type === "plan-made");
  expect(plan).toMatchObject({ spec: { requirements: [{ assumption: false }, { assumption: true }] } });
});

test("a result that is not proven says which requirements it meets all the same", async () => {
  const coder = [...twoTodos.coder.slice(0, 2), call("finish", { summary: "gave up" })];
  const builder = await AppBuilder.create(byRole({ ...twoTodos, coder }));
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({ limits: { ...limits, maxIterations: 1 } });
  const end = await builder.start(app, {}, settings);
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "limit.iterations" } } });
  const gathered = builder.events.find((event) => event.type === "evidence-gathered");
  expect(gathered).toMatchObject({
    evidence: {
      requirements: [
        { id: "R1", support: "none", doubt: "unseen-unusable" },
        { id: "R2", support: "none" },
      ],
    },
  });
});
