import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import type { RunOptions } from "../src/app/run-options.ts";
import { TodoLending } from "../src/app/todo-lending.ts";
import { App } from "../src/app.ts";
import type { Limits } from "../src/domain/settings/settings.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { answerApproval, listApprovals } from "../src/journal/approvals.ts";
import { tellTask } from "../src/journal/messages.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { wish } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ScriptedAnswer, ServedRequest } from "./model-server.ts";
import { call, roleOf } from "./scripted-goal.ts";
import { partOf, twoParts, twoPartsGoal } from "./two-parts-goal.ts";

/*
 * The worker of a task lends one of two todos to a guest that is free at once: `double` stays, `halve` is lent. Both are
 * in this process. What becomes of processes that are killed, or asleep, is in `postgres/lent-todos.test.ts`.
 */

const TASK = "t00000001";

const withoutFirstAnswer = <M extends { role: string }>(messages: M[]): M[] => {
  const first = messages.findIndex(({ role }) => role === "assistant");
  return messages.filter((_, index) => index !== first && index !== first + 1);
};

const turnOf = (request: ServedRequest) => request.messages.filter(({ role }) => role === "assistant").length;

async function openTeam(script: (request: ServedRequest) => ScriptedAnswer, { hasKey = true } = {}) {
  const promise = () => Promise.withResolvers<void>();
  const asked = { double: promise(), halve: promise(), later: promise() };
  const released = { double: Promise.withResolvers<void>(), halve: Promise.withResolvers<void>() };
  const builder = await AppBuilder.create(async (request) => {
    const part = partOf(request);
    if (part === "double" || part === "halve") {
      asked[part].resolve();
      await released[part].promise;
    }
    return script(request);
  });
  // A request that is held when a test fails must not hold up the end of the test.
  onTestFinished(() => release());
  const app = await builder.open();
  const guest = await App.open({
    dataDirectory: builder.dataDirectory,
    env: app.env,
    keys: () => (hasKey ? "test-key" : undefined),
    secrets: [],
    version: "0.0.0",
  });
  onTestFinished(() => guest[Symbol.asyncDispose]());
  const notices: string[] = [];
  guest.bus.subscribe((message) => {
    if (message.type === "notice") notices.push(message.text);
  });
  const helped: Promise<void>[] = [];
  const approve = { subjects: [], words: "", wait: true, findings: false };
  const { signal } = new AbortController();
  const options: Partial<RunOptions> = {
    approve,
    lend: (parts) =>
      new TodoLending({
        ...parts,
        helpers: {
          count: async () => 1,
          enter: async (strand) => void helped.push(guest.help(parts.claim.task, strand, { signal, approve })),
        },
        times: { lookMs: 20, patienceMs: 1_000_000, silenceMs: 1_000_000 },
      }),
  };
  const release = (...parts: ("double" | "halve")[]) => {
    for (const part of parts.length === 0 ? (["double", "halve"] as const) : parts) released[part].resolve();
  };
  const settings = (change: Partial<Limits>) => {
    const { limits, providers } = builder.settings();
    const test = { kind: "openai-compatible", toolCalling: true, ...providers.test, keyVariable: "TEST_KEY" } as const;
    return builder.settings({ limits: { ...limits, parallel: 2, ...change }, providers: { test } });
  };
  return {
    ...{ builder, app, guest, notices, helped, asked, release },
    begin: async (change: Partial<Limits> = {}) => {
      const request = { goal: twoPartsGoal, directory: builder.directory, attachments: [], apply: true };
      await app.create(TASK, request, settings(change), builder.prompts);
      return app.resume(TASK, {}, { signal, ...options });
    },
    resume: () => app.resume(TASK, {}, { signal, ...options }),
    steps: async (strand: string) =>
      (await (await app.recording(TASK)).strand(strand)).steps.map(({ path }) => path.slice(strand.length + 1)),
    replays: async () =>
      expect(await replayTask(await app.recording(TASK), openLanguages())).toMatchObject({ ended: "same" }),
  };
}

/** What the model of the lent todo says: wrong at first, and right after a reflection. */
const halvesByThree = (request: ServedRequest): ScriptedAnswer => {
  if (roleOf(request) === "reflector") {
    return { toolCalls: [call("finish", { cause: "it divides by 3", hypothesis: "divide by 2", next: "code" })] };
  }
  if (partOf(request) !== "halve") return twoParts("chore")(request);
  const [wrong, index, edited] = [
    call("create_file", { path: "src/halve.js", content: "export const halve = (n) => n / 3;\n" }),
    call("create_file", { path: "src/index.js", content: 'export { halve } from "./halve.js";\n' }),
    call("edit_file", { path: "src/halve.js", oldText: "n / 3", newText: "n / 2" }),
  ];
  const said = JSON.stringify(request.messages);
  const isMended = request.messages.slice(1).some(({ text }) => text.includes("n / 2"));
  const second = isMended ? undefined : edited;
  const next = said.includes("divide by 2") ? second : [wrong, index][turnOf(request)];
  return { toolCalls: [next ?? call("finish", { summary: "done" })] };
};

test("a guest's steps, events and counts are those of the task", async () => {
  const team = await openTeam(twoParts("chore"));
  team.release();
  const end = await team.begin();
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(team.helped).toHaveLength(1);
  await team.replays();
  const rows = await team.app.store.read
    .selectFrom("events")
    .select(["number", "type"])
    .where("task_id", "=", TASK)
    .orderBy("number")
    .execute();
  expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  // What a guest made is a branch that says which steps made it.
  const repository = team.app.artifacts.gitDirectory;
  const log = (todo: string) =>
    execFileSync("git", ["-C", repository, "log", "--format=%B", `ai/generated/${TASK}/${todo}`], {
      encoding: "utf8",
    });
  const last = (await (await team.app.recording(TASK)).strand("todo:halve")).steps.at(-1);
  expect(log("halve")).toContain(`Miracle-Head: ${last?.hash}`);
  expect(log("halve")).toMatch(/^Miracle-Role-coder: prompt [0-9a-f]{12}, tools [0-9a-f]{12}, test\/model$/m);
  const called = rows.filter(({ type }) => type === "model-called");
  expect(called).toHaveLength(team.builder.server.requests.length);
});

test("when the task is cancelled, its guest stops in the middle of a call, and nothing more is recorded", async () => {
  const team = await openTeam(twoParts("chore"));
  const ended = team.begin();
  await Promise.all([team.asked.double.promise, team.asked.halve.promise]);
  await wish(team.app.store, TASK, "cancel");
  expect(await ended).toMatchObject({ ended: "stopped", reason: "cancelled" });
  const before = await team.steps("todo:halve");
  await Promise.all(team.helped);
  expect(await team.steps("todo:halve")).toEqual(before);
  expect(team.notices).toEqual([expect.stringContaining("goes back to the worker that lent it")]);
  expect(team.builder.server.requests.filter((request) => partOf(request) === "halve")).toHaveLength(1);
});

test("a paused task goes on from what its guest had recorded", async () => {
  const team = await openTeam((request) => {
    // The guest has had one answer when the task is paused.
    if (partOf(request) === "halve" && turnOf(request) === 1) team.asked.later.resolve();
    return twoParts("chore")(request);
  });
  team.release("halve");
  const ended = team.begin();
  await Promise.all([team.asked.double.promise, team.asked.later.promise]);
  await wish(team.app.store, TASK, "pause");
  expect(await ended).toMatchObject({ ended: "stopped", reason: "paused" });
  await Promise.all(team.helped);
  const before = await team.steps("todo:halve");
  expect(before.length).toBeGreaterThan(0);
  team.release();
  const end = await team.resume();
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect((await team.steps("todo:halve")).slice(0, before.length)).toEqual(before);
  await team.replays();
});

test("a guest whose model cannot be reached gives the todo back, and says why; its owner does it", async () => {
  const team = await openTeam(twoParts("chore"), { hasKey: false });
  team.release();
  const end = await team.begin();
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(team.helped).toHaveLength(1);
  expect(team.notices).toContainEqual(
    expect.stringMatching(/^todo:halve goes back to the worker that lent it: .*TEST_KEY/),
  );
  await team.replays();
});

test("a question of a lent todo is put once, and answered it is worked on again", async () => {
  const asks = (request: ServedRequest): ScriptedAnswer => {
    if (partOf(request) !== "halve" || turnOf(request) > 0) return twoParts("chore")(later(request));
    return { toolCalls: [call("run_command", { command: "curl https://example.com/" })] };
  };
  /** Without the turn of the question. */
  const later = (request: ServedRequest): ServedRequest =>
    partOf(request) === "halve" ? { ...request, messages: withoutFirstAnswer(request.messages) } : request;
  const team = await openTeam(asks);
  team.release();
  expect(await team.begin()).toMatchObject({ ended: "stopped", reason: "waiting" });
  const open = await listApprovals(team.app.store, { answered: false });
  expect(open).toMatchObject([{ task: TASK, request: { subject: "network" } }]);
  const [question] = open;
  const answer = { granted: false, by: "anna", at: Date.now(), reason: "not here" };
  await answerApproval(team.app.store, question?.request.id ?? "", answer);
  expect(await team.resume()).toMatchObject({ outcome: { status: "checked" } });
  expect(await listApprovals(team.app.store, { answered: true })).toHaveLength(1);
  await team.replays();
});

test("a person's words reach a lent todo: its guest comes back after its iteration, and the plan hears them", async () => {
  const team = await openTeam((request) => {
    const text = request.messages[0]?.text ?? "";
    if (text.includes("# The person's new words")) return { text: "A matter of style." };
    return halvesByThree(request);
  });
  const ended = team.begin();
  await Promise.all([team.asked.double.promise, team.asked.halve.promise]);
  await tellTask(team.app.store, TASK, { id: "m1", text: "use plain functions", by: "anna", at: 1 });
  team.release();
  expect(await ended).toMatchObject({ outcome: { status: "checked" } });
  expect(await team.steps("todo:halve")).toContain("yield/1");
  const heard = await team.app.store.read.selectFrom("messages").select("heard_at").execute();
  expect(heard).toEqual([{ heard_at: expect.any(Number) }]);
  await team.replays();
});

test("a guest that is over its share of the budget ends, and its owner goes on when others gave theirs back", async () => {
  const team = await openTeam((request) => {
    const answer = halvesByThree(request);
    const isFirst = answer.toolCalls?.[0]?.name === "create_file" && JSON.stringify(answer).includes("n / 3");
    return { ...answer, usage: { input: isFirst ? 60_000 : 10, output: 10 } };
  });
  team.release("halve");
  const ended = team.begin({ maxTokens: 110_000 });
  await expect
    .poll(() => team.notices, { timeout: 30_000 })
    .toContainEqual(expect.stringContaining("used its share of the budget"));
  team.release();
  expect(await ended).toMatchObject({ outcome: { status: "checked" } });
  await team.replays();
});
