import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { readTaskUsage } from "../src/store/metrics.ts";
import { AppBuilder } from "./app-builder.ts";
import { call, roleOf } from "./scripted-goal.ts";

test("a stronger model is asked after a failure, and the run replays", async () => {
  const builder = await AppBuilder.create((request) => {
    if (roleOf(request) === "reflector") {
      return { toolCalls: [call("finish", { cause: "it was not written", hypothesis: "write it", next: "code" })] };
    }
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const able = request.model === "strong" && turn === 0;
    return {
      toolCalls: [able ? call("create_file", { path: "done.txt", content: "yes\n" }) : call("finish", { summary: "" })],
    };
  });
  const app = await builder.open();
  const ladder = { models: ["test/cheap", "test/middle", "test/strong"], escalate: true };
  const settings = builder.settings({ direct: true, accept: ["test -e done.txt"] });
  const coder = { ...settings.models.coder, ...ladder };
  const end = await builder.start(app, {}, { ...settings, models: { ...settings.models, coder } });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "checked" } });
  // Without a plan nobody knows how hard it is: the cheapest one is not asked at all.
  const asked = builder.server.requests.map((request) => `${roleOf(request)} ${request.model}`);
  expect(asked).toEqual(["coder middle", "reflector model", "coder strong", "coder strong"]);
  expect([...(await readTaskUsage(app.store, end.task, "model")).keys()]).toEqual([
    "test/middle",
    "test/model",
    "test/strong",
  ]);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same" });
});
