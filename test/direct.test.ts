import { expect, test } from "vitest";
import { listContexts } from "../src/cli/task/list-contexts.ts";
import { watchDiff } from "../src/cli/task/watch-diff.ts";
import type { GrowingDiff } from "../src/cli/text/growing-diff.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { CassetteRecording, exportCassette } from "../src/journal/cassette.ts";
import { verifyRecording } from "../src/journal/verify.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder, call, inOrder } from "./app-builder.ts";

const script = inOrder(
  [call("create_file", { path: "hello.txt", content: "hello\n" })],
  [call("run_command", { command: "cat hello.txt && echo more >> hello.txt" })],
  [call("finish", { summary: "done" })],
);

test("a direct goal is worked on in a checkout and applied when its commands succeed", async () => {
  const builder = await AppBuilder.create(script, { "README.md": "a project\n" });
  const app = await builder.open();
  const settings = builder.settings({ direct: true, accept: ["grep more hello.txt"] });
  const end = await builder.start(app, {}, settings);
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "checked", delivery: { applied: true } } });
  expect(builder.files()).toEqual({ "README.md": "a project\n", "hello.txt": "hello\nmore\n" });
});

test("who watches sees the diff as it grows: each changed file, and the newest lines", async () => {
  const builder = await AppBuilder.create(script, { "README.md": "a project\n" });
  const app = await builder.open();
  const grown = Promise.withResolvers<GrowingDiff>();
  using _watching = watchDiff(app, (growth) => {
    if (growth.files[0]?.added === 2) grown.resolve(growth);
  });
  await builder.start(app, {}, builder.settings({ direct: true }));
  expect(await grown.promise).toMatchObject({
    files: [{ path: "hello.txt", added: 2, removed: 0 }],
    newest: ["+more"],
  });
});

test("nothing is applied when a command that must succeed fails for good", async () => {
  const builder = await AppBuilder.create(
    (request) => ({
      toolCalls: [
        request.system.includes("why an attempt failed")
          ? call("finish", { cause: "no idea", hypothesis: "again", next: "code" })
          : call("finish", { summary: "did nothing" }),
      ],
    }),
    { "README.md": "a project\n" },
  );
  const app = await builder.open();
  const end = await builder.start(app, {}, builder.settings({ direct: true, accept: ["test -e missing.txt"] }));
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "not-proven", failure: { code: "loop.stuck" } } });
  expect(builder.files()).toEqual({ "README.md": "a project\n" });
});

test("a recorded run replays to the same tree, from the database and from a cassette", async () => {
  const builder = await AppBuilder.create(script);
  const app = await builder.open();
  const end = await builder.start(app, {}, builder.settings({ direct: true }));
  if (end.ended !== "settled") throw new Error(end.ended);
  const recording = await app.recording(end.task);
  expect((await verifyRecording(recording)).faults).toEqual([]);
  expect(await replayTask(recording, openLanguages())).toEqual({ ended: "same", outcome: end.outcome });
  const cassette = new CassetteRecording(await exportCassette(recording, {}));
  expect(await replayTask(cassette, openLanguages())).toEqual({ ended: "same", outcome: end.outcome });
  expect(builder.server.requests).toHaveLength(3);
});

test("a conversation that outgrows its window goes on from a summary of its old turns, and replays", async () => {
  const said = (number: number) => `Decision ${number}: ${"we keep the interface as it is. ".repeat(40)}`;
  const builder = await AppBuilder.create((request, index) => {
    if (request.system.startsWith("You shorten the old turns")) return { text: "hello.txt is there." };
    if (index === 0) return { toolCalls: [call("create_file", { path: "hello.txt", content: "hello\n" })] };
    if (index < 24) return { text: said(index), toolCalls: [call("list_files", {})] };
    return { toolCalls: [call("finish", { summary: "done" })] };
  });
  const app = await builder.open();
  const settings = { direct: true, windows: { "test/*": 9000 }, summaries: { model: null } };
  const end = await builder.start(app, {}, builder.settings(settings));
  if (end.ended !== "settled") throw new Error(end.ended);
  const last = JSON.stringify(builder.server.requests.at(-1)?.messages);
  for (const kept of ["hello.txt is there.", "written: hello.txt", said(23).trim()]) expect(last).toContain(kept);
  expect(last).not.toContain("Decision 1:");
  const recording = await app.recording(end.task);
  const cassette = new CassetteRecording(await exportCassette(recording, {}));
  expect(await replayTask(cassette, openLanguages())).toEqual({ ended: "same", outcome: end.outcome });
  const shown: string[] = [];
  for await (const { path, parts } of listContexts(app, end.task))
    shown.push(`${path} ${Object.keys(parts).join(" ")}`);
  expect(shown.some((line) => line.includes("code-summary/1"))).toBe(true);
  expect(shown.at(-1)).toContain(" summary");
});

test("an edited prompt does not reach a replay, and --current names the first step that would differ", async () => {
  const builder = await AppBuilder.create(script);
  const app = await builder.open();
  const end = await builder.start(app, {}, builder.settings({ direct: true }));
  const recording = await app.recording(end.task);
  const { readFrozen } = await import("../src/journal/journal.ts");
  const frozen = await readFrozen(recording);
  const today = { ...frozen, prompts: { ...frozen.prompts, coder: "You code differently." } };
  const replayed = await replayTask(recording, openLanguages(), today);
  expect(replayed).toMatchObject({ ended: "diverged", divergence: { step: "task/iteration:1/code/1" } });
});

test("a task that goes on from an unapplied result delivers all of it", async () => {
  const builder = await AppBuilder.create(
    inOrder(
      [call("create_file", { path: "a.txt", content: "a\n" }), call("finish", { summary: "a" })],
      [call("create_file", { path: "b.txt", content: "b\n" }), call("finish", { summary: "b" })],
    ),
  );
  const app = await builder.open();
  const first = await builder.start(
    app,
    { apply: false },
    builder.settings({ direct: true, accept: ["test -f a.txt"] }),
  );
  if (first.ended !== "settled" || first.outcome.tree === null) throw new Error(first.ended);
  expect(builder.files()).toEqual({});
  const settings = builder.settings({ direct: true, accept: ["test -f a.txt && test -f b.txt"] });
  await builder.start(app, { parent: first.task, startTree: first.outcome.tree }, settings);
  expect(builder.files()).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
});
