import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import type { WrittenPlan } from "../src/domain/plan/written-plan.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { roleOf } from "./scripted-goal.ts";
import { twoParts, twoPartsGoal } from "./two-parts-goal.ts";

/** A project with the two-part goal's model, and a plan of it in a file. */
async function planned() {
  const builder = await AppBuilder.create(twoParts("chore"));
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const home = builder.dataDirectory;
  const miracle = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  const file = join(home, "plan.yaml");
  const made = await miracle("plan", twoPartsGoal, "--direct", "-o", file);
  const edit = (change: (plan: WrittenPlan) => void) => {
    const plan: WrittenPlan = parse(readFileSync(file, "utf8"));
    change(plan);
    writeFileSync(file, stringify(plan));
  };
  return { builder, miracle, file, made, edit };
}

test("a plan is shown without anything being done, goes on where it stopped, and runs when it was edited", async () => {
  const { builder, miracle, file, made, edit } = await planned();
  expect(made).toMatchObject({
    exit: EXIT.done,
    output: expect.stringContaining("●  double  write double (R1; src/d"),
    error: expect.stringContaining(`the plan is in ${file}; edit it if you like, then: miracle run --plan ${file}\n`),
  });
  expect(builder.files()).toEqual({});
  expect(builder.server.requests.map(roleOf)).toEqual(["planner"]);

  edit(({ todos }) => {
    const [double, halve] = todos;
    if (!double || !halve) throw new Error("the plan has two todos");
    double.preconditions = [{ absent: "src/double.js" }];
    double.postconditions = [{ exists: "src/double.js" }, { command: "test -f src/index.js" }];
    double.effects = [{ change: "create", path: "src/double.js" }];
    halve.dependencies = ["double"];
    halve.preconditions = [{ exists: "src/index.js" }];
    // Its index is not in its scope, so what it writes there is undone: its test cannot become green.
    halve.files = ["src/halve.js"];
  });
  const ran = await miracle("run", "--plan", file, "--max-iterations", "1");
  expect(ran.error).toContain("warning: todo double did what it did not declare: create src/index.js");
  expect(ran.error).toContain("todo double done");
  expect(ran.error).toContain("verifier: $ test -f src/index.js: passed");
  expect(ran.error).toContain("todo halve failed");
  expect(ran.exit).toBe(EXIT.limit);
  expect(builder.server.requests.map(roleOf).filter((role) => role === "planner")).toHaveLength(1);

  edit(({ todos }) => {
    for (const todo of todos) todo.preconditions = [{ exists: "nowhere" }];
  });
  const stopped = await miracle("run", "--plan", file);
  expect(stopped.error).toContain("todo double cannot be begun: its precondition `test -e 'nowhere'` does not hold");

  const resumed = await miracle("resume", made.output.match(/miracle resume (t\w+)/)?.[1] ?? "");
  expect(resumed.exit).toBe(EXIT.done);
  expect(Object.keys(builder.files())).toContain("src/halve.js");
});

test("a plan that cannot be worked on is refused with all that is wrong, line by line", async () => {
  const { miracle, file, edit } = await planned();
  edit(({ todos }) => {
    for (const [index, todo] of todos.entries()) todo.dependencies = [todos[1 - index]?.id ?? ""];
    for (const todo of todos) todo.requirements = [];
  });
  const contradiction = await miracle("run", "--plan", file, "--direct");
  expect(contradiction.exit).toBe(EXIT.badInput);
  const { exit, error } = await miracle("run", "--plan", file);
  expect(exit).toBe(EXIT.badInput);
  expect(error).toMatch(/plan\.yaml:\d+: todos depend on each other in a circle: double, halve/);
  expect(error).toMatch(/plan\.yaml:\d+: nothing says when todo halve is done/);
});
