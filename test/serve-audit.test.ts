import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";
import { ServedInProcess } from "./served-in-process.ts";

const Entries = z.object({
  entries: z.array(z.object({ action: z.string(), by: z.string(), task: z.string().nullable(), request: z.string() })),
});

test("who asked, who allowed and what was delivered is on record, under the id of the request", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  terminal.configure("direct: true\nconfirm: [diff]\n");
  const api = await ServedApi.start(terminal);
  const made = await api.post("/tasks", { goal: "say hello" }, { "x-request-id": "ask-1" });
  const task = String(made.body.id);
  await api.reaches(task, "waiting");
  const [question] = z.array(z.object({ id: z.string() })).parse((await api.get("/approvals")).body.approvals);
  await api.post(`/approvals/${question?.id}`, { granted: true }, { "x-request-id": "allow-1" });
  await api.reaches(task, "checked");
  const { entries } = Entries.parse((await api.get("/audit")).body);
  expect(entries.toReversed()).toMatchObject([
    { action: "request", by: "first", task, request: "ask-1" },
    { action: "approval-answered", by: "first", task, request: "allow-1" },
    { action: "request", by: "first", task, request: "allow-1" },
    { action: "change-applied", task, request: "allow-1" },
  ]);
  const asked = terminal.server.requests.map(({ headers }) => headers["x-request-id"]);
  expect(asked[0], "the model's server can be asked about it").toBe("ask-1");
  const logs = join(terminal.line.dataDirectory, "logs");
  const lines = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), "utf8").trim().split("\n"));
  expect(lines.map((line) => JSON.parse(line).request)).toContain("ask-1");
});

test("a refused caller is on record, and cannot fill it", async () => {
  const server = await ServedInProcess.start({ limits: { rate: { perSecond: 1000, burst: 1000 } } });
  for (let round = 0; round < 50; round += 1) {
    await server.ask("/tasks", { headers: { authorization: "Bearer mt_wrong" } });
  }
  const headers = { authorization: `Bearer ${await server.token("admin")}` };
  const { entries } = Entries.parse(JSON.parse((await server.ask("/audit", { headers })).text));
  expect(entries[0]).toMatchObject({ action: "request-refused", by: expect.stringMatching(/^address /) });
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.length).toBeLessThan(30);
});
