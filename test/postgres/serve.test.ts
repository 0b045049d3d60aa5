import { existsSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { killAgainAndAgain } from "../crash/served-kills.ts";
import { RedisServer } from "../redis-server.ts";
import { heldGoal } from "../scripted-goal.ts";
import { ScriptedTerminal } from "../scripted-terminal.ts";
import { ServedApi } from "../served-api.ts";
import { newDatabase, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`miracle serve on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  test("killed with -9 in the middle of a task, the next server ends it, and a follower sees each event once", async () => {
    const { terminal, release } = await heldTerminal();
    const env = { DATABASE_URL: await newDatabase() };
    const first = await ServedApi.start(terminal, { env });
    const id = String((await first.post("/tasks", { goal: "say hello" })).body.id);
    await terminal.asked(2);
    const seen = await first.follow(id, "tool-called");
    await first.kill();
    release();
    const second = await ServedApi.start(terminal, { env, token: first.token });
    const rest = await second.follow(id, "task-settled", seen.at(-1)?.id);
    const all = [...seen, ...rest];
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    expect(await second.reaches(id, "checked")).toMatchObject({ directory: "project" });
    expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
    expect(terminal.server.requests).toHaveLength(3);
    expect(existsSync(terminal.line.database), "nothing is in a file").toBe(false);
  });

  test("of two servers beside each other one is killed with -9, and the other ends its tasks, each once", async () => {
    const { terminal, release } = await heldTerminal();
    const env = { DATABASE_URL: await newDatabase() };
    const first = await ServedApi.start(terminal, { env });
    const second = await ServedApi.start(terminal, { env, token: first.token });
    const id = String((await first.post("/tasks", { goal: "say hello" })).body.id);
    await terminal.asked(2);
    expect((await second.get(`/tasks/${id}`)).body.state, "seen from the other one").toBe("running");
    const following = second.follow(id, "task-settled");
    await first.kill();
    release();
    const events = await following;
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    await second.reaches(id, "checked");
    expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
    expect(terminal.server.requests, "only what was under way is asked again").toHaveLength(3);
  });

  test("killed with -9 again and again it loses no task and does nothing twice, without Redis", async () => {
    await killAgainAndAgain(4, { DATABASE_URL: await newDatabase() });
  });

  test("nor with Redis, where there is one", async ({ skip }) => {
    const redis = await RedisServer.start();
    if (typeof redis === "string") return skip(redis);
    onTestFinished(() => redis[Symbol.asyncDispose]());
    await killAgainAndAgain(4, { DATABASE_URL: await newDatabase(), REDIS_URL: redis.url });
  });
});

/** A goal whose model answers once, and then not before it is released. */
async function heldTerminal() {
  const { script, release } = heldGoal();
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure("direct: true\n");
  return { terminal, release };
}
