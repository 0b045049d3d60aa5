import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { AppBuilder } from "./app-builder.ts";
import type { Script } from "./model-server.ts";
import { addGoal, call, extraRoleOf, roleOf } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";

const done = call("finish", { summary: "done" });
const HINT = "add two numbers with +, do not subtract";

/** A coder that subtracts until a person says otherwise. Answers follow from the request alone. */
const stubborn: Script = (request) => {
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const text = JSON.stringify(request.messages);
  switch (extraRoleOf(request) ?? roleOf(request)) {
    case "planner":
      return { toolCalls: addGoal.planner };
    case "tester":
      return { toolCalls: addGoal.tester };
    case "reflector":
      return { toolCalls: [call("finish", { cause: "unknown", hypothesis: "look again", next: "code" })] };
    case "debugger":
      return {
        toolCalls: [
          call("finish", { cause: "implementation_bug", finding: "add(2, 3) is -1", instructions: "mend it" }),
        ],
      };
    default: {
      if (turn > 0) return { toolCalls: [done] };
      if (text.includes(HINT)) {
        return { toolCalls: [call("edit_file", { path: "calc.py", oldText: "a - b", newText: "a + b" })] };
      }
      const wrong = call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a - b\n" });
      return { toolCalls: [text.includes("Notes from earlier attempts") ? done : wrong] };
    }
  }
};

test("work that stays red after everything waits for a hint, and goes on with it to a proof", async () => {
  const terminal = await ScriptedTerminal.open(stubborn);
  const waiting = await terminal.run(["run", "Write a module that adds two numbers", "--wait", "--effort", "quick"]);
  expect(waiting.code, waiting.stderr).toBe(EXIT.waiting);
  const asked = await terminal.run(["approvals"]);
  expect(asked.stdout).toContain("todo add (write calc.add) stays red; how should it go on?");
  const shown = await terminal.run(["approvals", "--json"]);
  for (const told of ["test_adds", "look again", "add(2, 3) is -1", "the best attempt is kept"]) {
    expect(shown.stdout).toContain(told);
  }
  const end = await terminal.run(["approve", terminal.task, "--reason", HINT, "--resume", "--quiet"]);
  expect(end.code, end.stderr + end.stdout).toBe(EXIT.done);
  expect((await terminal.run(["show", "--last"])).stdout).toContain(`told: ${HINT}`);
  expect((await terminal.run(["replay", "--last"])).code).toBe(EXIT.done);
});

test("without words, or with nobody there, it ends as it stands with its best attempt, and nobody there is not asked", async () => {
  const builder = await AppBuilder.create(stubborn);
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({
    limits: { ...limits, debugAttempts: 1 },
    recovery: { rewrite: true, ask: true },
  });
  const goal = { goal: "Write a module that adds two numbers" };
  const asked: string[] = [];
  const declined = await builder.start(app, goal, settings, {
    ask: async ({ question }) => {
      asked.push(question);
      return { granted: false, by: "me", reason: "" };
    },
  });
  expect(declined).toMatchObject({ outcome: { status: "not-proven", tree: expect.any(String) } });
  expect(asked).toHaveLength(1);
  await builder.start(app, goal, settings);
  expect(builder.events.filter(({ type }) => type === "approval-requested")).toHaveLength(1);
});
