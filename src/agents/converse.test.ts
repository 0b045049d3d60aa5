import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { JournalBuilder } from "../../test/journal-builder.ts";
import { type Script, type ScriptedAnswer, type ServedRequest, startModelServer } from "../../test/model-server.ts";
import { openTestModel } from "../../test/open-test-model.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Journal } from "../journal/journal.ts";
import type { Model } from "../llm/model.ts";
import { userMessage } from "./briefings/sections.ts";
import { type Conversation, converse } from "./converse.ts";
import { toolSchemas } from "./tool-schemas.ts";

const Report = z.object({ summary: z.string() });
type Report = z.infer<typeof Report>;

const finish: ScriptedAnswer = { toolCalls: [{ name: "finish", arguments: { summary: "done" } }] };
const read: ScriptedAnswer = { toolCalls: [{ name: "read_file", arguments: { path: "a.py" } }] };

test("each tool's answer goes back to the model, in the order of the calls", async () => {
  const twice = { toolCalls: [...(read.toolCalls ?? []), { name: "search", arguments: { pattern: "x" } }] };
  const talk = await open([twice, finish]);
  expect(await talk.converse()).toEqual({ ended: "finished", result: { summary: "done" } });
  expect(talk.used).toEqual(["read_file a.py", "search x"]);
  expect(talk.told(1)).toEqual(["answer of read_file", "answer of search"]);
});

test("an unknown tool is answered with the tools there are", async () => {
  const talk = await open([{ toolCalls: [{ name: "write_file", arguments: {} }] }, finish]);
  expect(await talk.converse()).toMatchObject({ ended: "finished" });
  expect(talk.told(1)[0]).toMatch(/^there is no tool write_file; the tools are list_files, .*, finish$/);
  expect(talk.used).toEqual([]);
});

test("a tool that the role does not have is an unknown one", async () => {
  const create = { toolCalls: [{ name: "create_file", arguments: { path: "a.py", content: "" } }] };
  const talk = await open([create, finish], { role: "reflector" });
  await talk.converse();
  expect(talk.told(1)[0]).toContain("there is no tool create_file");
});

test("broken JSON and wrong arguments are answered with what is wrong, and nothing runs", async () => {
  const broken = { toolCalls: [{ name: "read_file", arguments: '{"path": "a.py' }] };
  const wrong = { toolCalls: [{ name: "read_file", arguments: { file: "a.py" } }] };
  const talk = await open([broken, wrong, finish]);
  expect(await talk.converse()).toMatchObject({ ended: "finished" });
  expect(talk.told(1)[0]).toContain("the arguments of read_file are not valid JSON");
  expect(talk.told(2).at(-1)).toContain("wrong arguments for read_file");
  expect(talk.told(2).at(-1)).toContain("path");
  expect(talk.used).toEqual([]);
});

test("words without a tool call are no end, unless the role may end so", async () => {
  const words = { text: "I will look at it." };
  const strict = await open([words, finish]);
  await strict.converse();
  expect(strict.told(1)).toEqual(["Call a tool; `finish` ends your work."]);

  const onText = (text: string, turn: number) => (turn > 1 ? { summary: text } : undefined);
  const relaxed = await open([words, read, { text: "All done." }], { onText });
  expect(await relaxed.converse()).toEqual({ ended: "finished", result: { summary: "All done." } });
});

test("an answer that was cut off is never an end", async () => {
  const onText = (text: string) => ({ summary: text });
  const talk = await open([{ text: "half a sent", finish: "length" }, finish], { onText });
  expect(await talk.converse()).toEqual({ ended: "finished", result: { summary: "done" } });
  expect(talk.told(1)[0]).toContain("cut off at the output limit");
});

test("a result that is not accepted comes back with the reason", async () => {
  const refused = ["too short", undefined];
  const talk = await open([finish, { toolCalls: [{ name: "finish", arguments: { text: "x" } }] }, finish], {
    check: async () => refused.shift(),
  });
  expect(await talk.converse()).toMatchObject({ ended: "finished" });
  expect(talk.told(1)).toEqual(["not accepted: too short"]);
  expect(talk.told(2).at(-1)).toMatch(/^not accepted: .*\n.*summary/);
});

test("three mistakes in a row end it, naming the last one", async () => {
  const unknown = { toolCalls: [{ name: "write_file", arguments: {} }] };
  const talk = await open([unknown, { text: "hm" }, unknown, finish]);
  await expect(talk.converse()).rejects.toMatchObject({
    failure: { code: "model.invalid-output", message: expect.stringContaining("there is no tool write_file") },
  });
});

test("a turn without a mistake begins the count anew", async () => {
  const unknown = { toolCalls: [{ name: "write_file", arguments: {} }] };
  const talk = await open([unknown, unknown, read, unknown, unknown, finish]);
  expect(await talk.converse()).toMatchObject({ ended: "finished" });
});

test("it ends at its limit of turns", async () => {
  const talk = await open([read, read, read, finish], { maxTurns: 3 });
  expect(await talk.converse()).toEqual({ ended: "turns" });
  expect(talk.used).toHaveLength(3);
});

const isSummary = (request: { system: string }) => request.system.startsWith("You shorten the old turns");
const thinking = (index: number): ScriptedAnswer => ({
  ...read,
  text: `Decision ${index}: ${"so it is. ".repeat(60)}`,
});

test("old turns become a summary by the small model where the window demands it, and a resume asks nobody again", async () => {
  const answer = (request: ServedRequest, index: number) =>
    isSummary(request) ? { text: "The parser is in a.py." } : index < 16 ? thinking(index) : finish;
  const talk = await open(answer, { window: 5000, summaryWindow: 5000, maxTurns: 20 });
  expect(await talk.converse()).toMatchObject({ ended: "finished" });
  const asked = talk.requests.filter(isSummary);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.map(({ model }) => model)).toEqual(asked.map(() => "small"));
  const last = talk.requests.at(-1);
  expect(JSON.stringify(last?.messages)).toContain("The parser is in a.py.");
  expect(last?.messages[0]?.text).toContain("# Goal");
  const before = talk.requests.length;
  expect(await talk.resume()).toMatchObject({ ended: "finished" });
  expect(talk.requests).toHaveLength(before);
});

test("a summary is reserved like any call: a budget that is used up asks for none", async () => {
  const answer = (_: ServedRequest, index: number) => thinking(index);
  const probe = await open(answer, { window: 5000, summaryWindow: 5000, maxTurns: 20 });
  await probe.converse();
  const first = probe.requests.findIndex(isSummary);
  const talk = await open(
    answer,
    { window: 5000, summaryWindow: 5000, maxTurns: 20 },
    (spent) => spent.calls === first,
  );
  await expect(talk.converse()).rejects.toMatchObject({ failure: { code: "budget.tokens" } });
  expect(talk.requests).toHaveLength(first);
});

test("a process that ends while a summary is written asks for it again, and for nothing else", async () => {
  const stop = new AbortController();
  const answer = (request: ServedRequest, index: number) => {
    if (!isSummary(request)) return index < 16 ? thinking(index) : finish;
    if (stop.signal.aborted) return { text: "The parser is in a.py." };
    stop.abort(new Error("killed"));
    return { fault: "hang" as const };
  };
  const talk = await open(answer, { window: 5000, summaryWindow: 5000, maxTurns: 20, signal: stop.signal });
  await expect(talk.converse()).rejects.toThrow("killed");
  const before = talk.requests.length;
  expect(await talk.resume({ signal: new AbortController().signal })).toMatchObject({ ended: "finished" });
  expect(talk.requests.slice(before).findIndex(isSummary)).toBe(0);
  expect(talk.repeated()).toHaveLength(1);
});

test("without the setting nobody is asked, and own words that are too long are refused", async () => {
  const talk = await open((_, index) => thinking(index), { window: 5000, maxTurns: 20 });
  await expect(talk.converse()).rejects.toMatchObject({ failure: { code: "context.too-large" } });
  expect(talk.requests.filter(isSummary)).toEqual([]);
});

/** A conversation on a real journal with a real client; only the model's words are given. */
async function open(
  answers: ScriptedAnswer[] | Script,
  change: Partial<Conversation<Report>> = {},
  isSpent?: (spent: { calls: number }) => boolean,
) {
  const script: Script = typeof answers === "function" ? answers : (_, index) => answers[index] ?? finish;
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const provider = { baseUrl: server.baseUrl, smallModel: "small" };
  const client = await openTestModel({
    providers: { test: provider },
    models: ["test/model"],
    limits: { maxTokens: isSpent ? 1_000_000 : null },
    retry: { attempts: 1 },
  });
  onTestFinished(() => client[Symbol.asyncDispose]());
  const builder = new JournalBuilder(temporaryDirectory("miracle-converse-"));
  const store = await builder.store();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const journal = await builder.create(store);
  const used: string[] = [];
  const role = change.role ?? "coder";
  const model: Model = {
    complete: async (request, call) => {
      // What is left is taken away by somebody else on the same ledger.
      if (isSpent?.({ calls: server.requests.length }))
        await client.ledger.reserve(
          { costMicros: 0, tokens: 1_000_000 - (await client.ledger.spent()).tokens },
          "other",
        );
      return client.model.complete(request, call);
    },
  };
  const start = (of: Journal, again: Partial<Conversation<Report>> = {}) =>
    of.run("task", (strand) =>
      converse({
        strand,
        name: "code",
        role,
        model,
        parameters: { maxOutputTokens: 1000 },
        window: 128_000,
        prompt: "Do it.",
        schemas: typeof answers === "function" ? [] : toolSchemas(role),
        briefing: [userMessage("# Goal\nDo it.")],
        maxTurns: 10,
        signal: new AbortController().signal,
        result: Report,
        useTool: async ({ tool, subject }) => {
          used.push(`${tool.name} ${subject}`);
          return `answer of ${tool.name}`;
        },
        ...change,
        ...again,
      }),
    );
  return {
    used,
    requests: server.requests,
    repeated: () => server.repeated(),
    converse: () => start(journal),
    /** The same conversation in another process. */
    resume: async (again: Partial<Conversation<Report>> = {}) => start(await builder.resume(store), again),
    /** What the model was told after the goal, as the request of this number shows it. */
    told: (request: number) =>
      (server.requests[request]?.messages ?? [])
        .filter((message) => message.role !== "assistant")
        .map((message) => message.text)
        .filter((text) => !text.startsWith("# Goal")),
  };
}
