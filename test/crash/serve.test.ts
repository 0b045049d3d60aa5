import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { RedisServer } from "../redis-server.ts";
import type { ScriptedTerminal } from "../scripted-terminal.ts";
import { killAgainAndAgain } from "./served-kills.ts";

test("killed with -9 again and again, a server loses no task and does nothing twice; followers see each event once", async () => {
  await promisesNothingMore(await killAgainAndAgain(12));
});

test("the same with Redis beside the embedded database", async ({ skip }) => {
  const redis = await RedisServer.start();
  if (typeof redis === "string") return skip(redis);
  onTestFinished(() => redis[Symbol.asyncDispose]());
  await promisesNothingMore(await killAgainAndAgain(4, { REDIS_URL: redis.url }));
});

async function promisesNothingMore({ line }: ScriptedTerminal): Promise<void> {
  using database = new DatabaseSync(line.database, { readOnly: true });
  await vi.waitFor(() => expect(database.prepare("select * from jobs").all()).toEqual([]));
}
