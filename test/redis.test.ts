import { createClient } from "@redis/client";
import { afterAll, describe, expect, test } from "vitest";
import { RedisWire } from "../src/bus/redis-wire.ts";
import { wireConformance } from "./conformance/wire.ts";
import { RedisServer } from "./redis-server.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const server = await RedisServer.start();
const problem = typeof server === "string" ? server : undefined;
if (problem !== undefined) process.stderr.write(`redis: skipped, ${problem}\n`);
const redis = () => {
  if (typeof server === "string") throw new Error(server);
  return server;
};
afterAll(async () => {
  if (typeof server !== "string") await server[Symbol.asyncDispose]();
});

describe.skipIf(problem !== undefined)(`a wire over Redis${problem ? ` (${problem})` : ""}`, () => {
  wireConformance(async () => ({
    open: () => new RedisWire(redis().url, () => {}),
    interfere: async (channel, text) => {
      const client = createClient({ url: redis().url });
      await client.connect();
      await client.publish(channel, text);
      client.destroy();
    },
    cut: async () => {
      await redis().stop();
      await redis().run();
    },
  }));

  test("a server tells on its channels what its tasks do, and goes on when Redis goes away", async () => {
    const terminal = await ScriptedTerminal.open(byTurn(...helloGoal, ...helloGoal));
    terminal.configure("direct: true\n");
    const api = await ServedApi.start(terminal, { env: { REDIS_HOST: "127.0.0.1", REDIS_PORT: String(redis().port) } });
    const client = createClient({ url: redis().url });
    client.on("error", () => {});
    await client.connect();
    const heard: { channel: string; text: string }[] = [];
    await client.pSubscribe("*", (text, channel) => heard.push({ channel, text }));
    const first = await api.post("/tasks", { goal: "say hello" }, { "x-request-id": "from-outside" });
    await api.reaches(String(first.body.id), "checked");
    // What is told last comes after the task has its end.
    await expect
      .poll(() => heard.map(({ text }) => JSON.parse(text)))
      .toContainEqual(
        expect.objectContaining({
          channel: "workflow.events",
          type: "task-settled",
          correlation: expect.objectContaining({ task: first.body.id, request: "from-outside" }),
        }),
      );
    expect(heard.map(({ channel }) => channel)).toEqual(expect.arrayContaining(["audit.logs", "agent.results"]));
    client.destroy();
    await redis().stop();
    const second = String((await api.post("/tasks", { goal: "say hello" })).body.id);
    const events = await api.follow(second, "task-settled");
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    await redis().run();
  });
});
