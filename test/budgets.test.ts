import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const PRICES = "prices:\n  local/scripted: { input: 3, output: 15 }\n";

async function pricedTerminal(): Promise<ScriptedTerminal> {
  const terminal = await ScriptedTerminal.open((request, index) => ({
    ...byTurn(...helloGoal)(request, index),
    usage: { input: 1000, output: 100 },
  }));
  terminal.configure("direct: true\n");
  terminal.write({ ".config/miracle/prices.yaml": PRICES }, terminal.line.home);
  return terminal;
}

test("a month's budget pauses a task before a byte leaves, is shown, and after it was raised the task goes on", async () => {
  const terminal = await pricedTerminal();
  const me = `person:${userInfo().username}`;
  expect((await terminal.run(["budget", "set", me, "0.01"])).stdout).toContain(`${me}: $0.00 spent of $0.01`);
  const refused = await terminal.run(["run", "say hello", "--quiet"]);
  expect(refused.code, refused.stderr).toBe(EXIT.budget);
  expect(refused.stderr).toContain(`of the $0.0100 of ${me} is left in`);
  expect(terminal.server.requests).toHaveLength(0);
  await terminal.run(["budget", "set", me, "50"]);
  const end = await terminal.run(["resume", "--last", "--quiet"]);
  expect(end.code, end.stderr).toBe(EXIT.done);
  // Two calls of 1000 tokens in and 100 out.
  expect((await terminal.run(["budget"])).stdout).toBe(`${me}: $0.01 spent of $50.00 in this month\n`);
  const [budget] = JSON.parse((await terminal.run(["budget", "--json"])).stdout);
  expect(budget).toEqual({ holder: me, limitMicros: 50_000_000, spentMicros: 9000 });
  expect((await terminal.run(["budget", "set", "everybody", "5"])).code).toBe(EXIT.badInput);
  expect((await terminal.run(["budget", "remove", me])).code).toBe(EXIT.done);
});

test("over HTTP who asks is who spends: one person's budget is no other's, and an admin sets it", async () => {
  const terminal = await pricedTerminal();
  const api = await ServedApi.start(terminal);
  const { stdout } = await terminal.run(["token", "add", "anna", "--scope", "read,run"]);
  const anna = { authorization: `Bearer ${stdout.trim()}` };
  const budget = { holder: "person:anna", limitMicros: 10 };
  expect(await api.post("/budgets", budget, anna)).toMatchObject({ status: 403 });
  expect(await api.post("/budgets", { ...budget, holder: "anna" })).toMatchObject({ status: 422 });
  expect(await api.post("/budgets", budget)).toMatchObject({ status: 200 });
  const hers = String((await api.post("/tasks", { goal: "say hello" }, anna)).body.id);
  await api.reaches(hers, "paused");
  const mine = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await api.reaches(mine, "checked");
  expect((await api.get("/budgets", anna)).body).toEqual({
    budgets: [
      { holder: "person:anna", limitMicros: 10, spentMicros: 0 },
      { holder: "person:first", limitMicros: null, spentMicros: 9000 },
    ],
  });
  expect((await api.get("/metrics")).body.text).toContain('miracle_month_budget_dollars{holder="person:anna"} 0.00001');
  expect(await api.post("/budgets", { ...budget, limitMicros: null })).toMatchObject({ status: 200 });
  await api.post(`/tasks/${hers}/resume`, undefined, anna);
  await api.reaches(hers, "checked");
  expect((await api.post("/queue/t00000001/revive")).status).toBe(404);
  expect((await api.get("/queue")).body).toMatchObject({ ready: 0, running: 0, takeOvers: 0, deadLetters: [] });
});
