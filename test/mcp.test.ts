import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { packageRoot } from "../src/config/package-root.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import { CommandLine } from "./command-line.ts";
import { files, imports, partOf } from "./import-graph.ts";
import { McpSession, type ToolEnd } from "./mcp-client.ts";
import { SampleRepository } from "./sample-repository.ts";
import { byTurn, call, heldGoal, helloGoal } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { temporaryDirectory } from "./temporary.ts";

const TEST = (cases: string) =>
  `import assert from "node:assert";\nimport { test } from "node:test";\nimport { double } from "./double.mjs";\n${cases}`;
const ZERO = 'test("zero", () => assert.equal(double(0), 0));\n';
const TWO = 'test("two", () => assert.equal(double(2), 4));\n';

function repositoryWith(code: string, cases: string): SampleRepository {
  const repository = new SampleRepository({
    "double.mjs": "export const double = (x) => x;\n",
    "double.test.mjs": TEST(ZERO),
  });
  repository.write({ "double.mjs": `export const double = (x) => ${code};\n`, "double.test.mjs": TEST(cases) });
  return repository;
}

const lineOf = () => new CommandLine(temporaryDirectory("miracle-mcp-"), "http://127.0.0.1:9/v1");

test("a good change is proven in the words of the command line, a bad one is not, and progress is told", async () => {
  const repository = repositoryWith("x + x", ZERO + TWO);
  const session = await McpSession.open(lineOf(), { cwd: repository.directory, era: "modern" });
  const good = await session.call("prove");
  expect(good, good.text).toMatchObject({ isError: false, facts: { verdict: "proven", notJudged: [] } });
  expect(good.text).toMatch(/^proven: 1 test turned from red to green, 1 test held\n {2}change since /);
  expect(session.progress).toContain("running the tests after the change");
  repository.write({ "double.mjs": "export const double = (x) => x + 1;\n" });
  const bad = await session.call("prove");
  expect(bad, bad.text).toMatchObject({ isError: false, facts: { verdict: "not-proven" } });
});

test("nothing can be accepted without a proof, and nothing outside of the directory is judged", async () => {
  const repository = repositoryWith("x + x", ZERO);
  const session = await McpSession.open(lineOf(), { cwd: repository.directory });
  for (const wish of [{ leave: ["double.mjs"] }, { accept: ["true"] }, { superseded: ["double.test.mjs"] }]) {
    expect(await session.call("prove", wish)).toMatchObject({ isError: true, text: expect.stringContaining("Unrec") });
  }
  expect(await session.call("prove", { directory: ".." })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^directory: \.\. is no directory in .*miracle mcp --dir PATH$/),
  });
  expect(await session.call("prove", { base: "nowhere" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("nowhere names no commit"),
  });
});

test("a proof that is taken back ends, and the server goes on", async () => {
  // Nothing but its end lets go of this suite.
  const repository = repositoryWith(
    "x + x",
    `${ZERO}test("endless", () => new Promise(() => setInterval(() => {}, 1e6)));\n`,
  );
  repository.commit({});
  repository.write({ "double.mjs": "export const double = (x) => 2 * x;\n" });
  const line = lineOf();
  const { root } = CheckoutDirectories.open(line.dataDirectory, droppedIdentity());
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const session = await McpSession.open(line, { cwd: repository.directory });
  const back = new AbortController();
  const ended = session.call("prove", {}, back.signal);
  await vi.waitFor(() => expect(session.progress).toContain("running the tests before the change"), 60_000);
  expect(readdirSync(root)).toHaveLength(1);
  back.abort("enough");
  await expect(ended).rejects.toThrow();
  await vi.waitFor(() => expect(readdirSync(root)).toEqual([]), 60_000);
  expect(await session.call("prove", { directory: ".." })).toMatchObject({ isError: true });
});

const direct = async (...args: Parameters<typeof ScriptedTerminal.open>) => {
  const terminal = await ScriptedTerminal.open(...args);
  terminal.configure("direct: true\n");
  return terminal;
};

interface AskedQuestion {
  id: string;
  subject: string;
  detail: string;
}
const questionOf = ({ facts }: ToolEnd): AskedQuestion => (facts.questions as AskedQuestion[])[0] as AskedQuestion;

test("a goal is worked on; a diff is a question that waits, and what the client says of it is recorded as its word", async () => {
  const terminal = await direct(byTurn(...helloGoal));
  const session = await McpSession.open(terminal.line);
  const asked = await session.call("run", { goal: "say hello", confirm: ["diff"] });
  expect(asked.facts, asked.text).toMatchObject({ state: "waiting", questions: [{ subject: "diff" }] });
  expect(questionOf(asked).detail).toContain("+hello");
  expect(asked.text).toContain(`miracle approve ${questionOf(asked).id}`);
  expect(terminal.tree(), "nothing is passed silently").toEqual({});
  const yes = { question: questionOf(asked).id, granted: true };
  const done = await session.call("answer", yes);
  expect(done.facts, done.text).toMatchObject({ state: "checked", questions: [] });
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  const shown = await terminal.run(["show", "--last", "--events"]);
  expect(shown.stdout).toContain("sample-client (MCP)");
  expect(await session.call("answer", yes)).toMatchObject({ isError: true, text: expect.stringContaining("already") });
  expect((await session.call("evidence")).text).toContain("hello.txt");
});

test.each(["legacy", "modern"] as const)("a client with forms asks its person, whose no counts (%s)", async (era) => {
  const terminal = await direct(byTurn(...helloGoal));
  const forms: string[] = [];
  const session = await McpSession.open(terminal.line, {
    era,
    person: (message) => {
      forms.push(message);
      return forms.length === 1
        ? { action: "decline" }
        : { action: "accept", content: { granted: false, reason: "no" } };
    },
  });
  const asked = await session.call("run", { goal: "say hello", confirm: ["diff"] });
  const yes = { question: questionOf(asked).id, granted: true };
  expect(await session.call("answer", yes)).toMatchObject({
    isError: true,
    text: expect.stringContaining("stays open"),
  });
  const done = await session.call("answer", yes);
  expect(forms[1]).toMatch(/^Miracle asks \(diff\): go on with this diff\n[\s\S]*\+hello/);
  expect(done.facts, done.text).toMatchObject({ state: "checked" });
  expect(terminal.tree(), "the client's yes counts for nothing").toEqual({});
});

test("a question of a task that the client has not begun is no client's to answer", async () => {
  const terminal = await direct(byTurn(...helloGoal));
  const end = await terminal.run(["run", "--quiet", "--confirm", "diff", "--wait", "say hello"]);
  expect(end.code, end.stderr).toBe(EXIT.waiting);
  const session = await McpSession.open(terminal.line);
  const asked = await session.call("resume", { task: terminal.task });
  const answered = await session.call("answer", { question: questionOf(asked).id, granted: true });
  expect(answered).toMatchObject({ isError: true, text: expect.stringContaining("is a person's to answer") });
  expect(terminal.tree()).toEqual({});
});

test("a question of safety is no client's to answer", async () => {
  const touch = call("run_command", { command: "echo ran >> ran.txt" });
  const terminal = await ScriptedTerminal.open(byTurn(touch, call("finish", { summary: "done" })), { "a.md": "a\n" });
  const hook = join(terminal.root, "hook");
  writeFileSync(hook, '#!/bin/sh\necho \'{"decision":"ask","reason":"it is a command"}\'\n');
  chmodSync(hook, 0o755);
  terminal.configure(`direct: true\nhooks: [{ when: before, tools: [run_command], command: [${hook}] }]\n`);
  const session = await McpSession.open(terminal.line);
  const asked = await session.call("run", { goal: "touch a file" });
  const { id } = questionOf(asked);
  expect(await session.call("answer", { question: id, granted: true })).toMatchObject({
    isError: true,
    text: `question ${id} (command) is a person's to answer: miracle approve ${id} --resume, or --deny`,
  });
  await terminal.run(["approve", id, "--deny"]);
  const done = await session.call("resume", { task: asked.facts.task });
  expect(done.facts, done.text).toMatchObject({ state: "checked" });
  expect(terminal.tree()).not.toHaveProperty("ran.txt");
});

test("a call that is taken back pauses its task, which goes on when it is resumed", async () => {
  const { script, release } = heldGoal();
  const terminal = await direct(script);
  const session = await McpSession.open(terminal.line);
  const back = new AbortController();
  const ended = session.call("run", { goal: "say hello" }, back.signal);
  await terminal.asked(2);
  expect(await session.call("run", { goal: "another" }), "one at a time").toMatchObject({
    isError: true,
    text: expect.stringMatching(/is being worked on: wait for it \(task\), or end it \(stop\)$/),
  });
  back.abort("enough");
  await expect(ended).rejects.toThrow();
  await vi.waitFor(() => expect(terminal.tasks()).toMatchObject([{ status: "paused" }]), 30_000);
  release();
  const done = await vi.waitFor(async () => {
    const end = await session.call("resume", { task: terminal.task });
    expect(end.isError, end.text).toBe(false);
    return end;
  }, 30_000);
  expect(done.facts, done.text).toMatchObject({ state: "checked" });
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
});

test("a task outlives the wait of a call, is cancelled by name, and pauses when the client leaves", async () => {
  const { script, release } = heldGoal();
  const terminal = await direct(script);
  const first = await McpSession.open(terminal.line);
  const begun = await first.call("run", { goal: "say hello", wait: 0 });
  expect(begun.facts, begun.text).toMatchObject({ state: "running" });
  await terminal.asked(2);
  await first.close();
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);

  const second = await McpSession.open(terminal.line);
  await second.call("resume", { task: terminal.task, wait: 0 });
  await terminal.asked(3);
  const stopped = await second.call("stop", { task: terminal.task, how: "cancel" });
  expect(stopped.facts, stopped.text).toMatchObject({ state: "cancelled" });
  expect(terminal.tree()).toEqual({});
  release();
});

test("a question is answered from the code, and tasks of other directories do not exist", async () => {
  const answer = { answer: "It greets.", places: [{ path: "hello.py", quote: "print('hello')" }] };
  const terminal = await ScriptedTerminal.open(byTurn(call("finish", answer)), { "hello.py": "print('hello')\n" });
  const session = await McpSession.open(terminal.line);
  const told = await session.call("ask", { question: "what does it do?" });
  expect(told, told.text).toMatchObject({
    isError: false,
    text: expect.stringContaining("It greets.\n  [1] hello.py:1"),
    facts: { places: [{ path: "hello.py", line: 1 }] },
  });
  const elsewhere = join(terminal.root, "elsewhere");
  mkdirSync(elsewhere);
  const other = await McpSession.open(terminal.line, { cwd: elsewhere });
  for (const name of ["task", "evidence", "resume", "stop"]) {
    const args = { task: terminal.task, ...(name === "stop" && { how: "cancel" }) };
    expect(await other.call(name, args), name).toMatchObject({ isError: true, text: /there is no task/ });
  }
});

test("what cannot be begun is told in the words of the command line", async () => {
  const terminal = await ScriptedTerminal.open(byTurn());
  const session = await McpSession.open(terminal.line);
  expect(await session.call("run", { goal: " " })).toMatchObject({
    isError: true,
    text: "the goal is empty: say in a sentence what to build or mend",
  });
  writeFileSync(join(terminal.project, "Cargo.toml"), "");
  expect(await session.call("run", { goal: "add a flag" })).toMatchObject({
    isError: true,
    text: expect.stringContaining("this is a Rust project"),
  });
  expect(terminal.tasks()).toEqual([]);
});

test("the SDK is loaded by this command alone", () => {
  const source = (file: string) => readFileSync(join(packageRoot(), "src", file), "utf8");
  const users = files.filter((file) => source(file).includes('from "@modelcontextprotocol/'));
  expect(new Set(users.map(partOf))).toEqual(new Set(["mcp"]));
  const outside = imports.filter(({ from, to }) => partOf(to) === "mcp" && partOf(from) !== "mcp");
  expect(new Set(outside.map(({ from }) => from))).toEqual(new Set(["cli/commands/mcp.ts"]));
  expect(source("cli/command-table.ts")).toContain('import("./commands/mcp.ts")');
});
