import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { byTurn, call, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const touch = call("run_command", { command: "echo ran >> ran.txt" });
const finish = call("finish", { summary: "done" });
const direct = ["run", "--direct", "--quiet", "touch a file"];

/** A person whose own program wants every command asked about, and who counts how often it is asked. */
async function carefulTerminal(...calls: Parameters<typeof byTurn>): Promise<ScriptedTerminal> {
  const terminal = await ScriptedTerminal.open(byTurn(...calls), { "README.md": "a project\n" });
  const hook = join(terminal.root, "hook");
  writeFileSync(
    hook,
    `#!/bin/sh\nread line\necho "$line" >> ${terminal.root}/calls\necho '{"decision":"ask","reason":"it is a command"}'\n`,
  );
  chmodSync(hook, 0o755);
  terminal.configure(`hooks: [{ when: before, tools: [run_command], command: [${hook}] }]`);
  return terminal;
}

interface Kept {
  id: string;
  status: string;
  answered_by: string | null;
  reason: string | null;
  answered_at: number | null;
}

function approvals(terminal: ScriptedTerminal): Kept[] {
  using database = new DatabaseSync(terminal.line.database, { readOnly: true, timeout: 10_000 });
  const rows = database.prepare("select * from approvals order by created_at").all();
  const text = (value: unknown) => (value === null ? null : String(value));
  return rows.map((row) => ({
    id: String(row.id),
    status: String(row.status),
    answered_by: text(row.answered_by),
    reason: text(row.reason),
    answered_at: row.answered_at === null ? null : Number(row.answered_at),
  }));
}

const readByModel = (terminal: ScriptedTerminal): string => JSON.stringify(terminal.server.requests.at(-1)?.body);

test("with nobody there and no policy the answer is no, and the agent is told why", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const end = await terminal.run(direct);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).not.toHaveProperty("ran.txt");
  expect(readByModel(terminal)).toContain("not allowed (nobody there)");
  expect(approvals(terminal)).toMatchObject([{ status: "denied", answered_by: "nobody there" }]);
  const shown = await terminal.run(["show", "--last"]);
  expect(shown.stdout).toContain("not allowed by nobody there: run_command");
});

test.each([
  ["--yes", "policy: --yes"],
  ["--approve=command,deps", "policy: --approve command,deps"],
])("%s answers instead of a person, and the record says so", async (flag, by) => {
  const terminal = await carefulTerminal(touch, finish);
  const end = await terminal.run([...direct, flag]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toMatchObject({ "ran.txt": "644 ran\n" });
  expect(approvals(terminal)).toMatchObject([{ status: "granted", answered_by: by }]);
});

test("a policy for one subject does not answer for another", async () => {
  const terminal = await carefulTerminal(touch, finish);
  await terminal.run([...direct, "--approve", "deps,network"]);
  expect(terminal.tree()).not.toHaveProperty("ran.txt");
});

test("with --wait the task pauses, is answered later from elsewhere, and goes on from exactly there", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const waiting = await terminal.run([...direct, "--wait"]);
  expect(waiting.code, waiting.stderr).toBe(EXIT.waiting);
  const [question] = approvals(terminal);
  expect(question).toMatchObject({ status: "open", answered_at: null });
  expect(waiting.stdout).toContain(`miracle approve ${question?.id}`);
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);
  const listed = await terminal.run(["approvals"], { cwd: terminal.root });
  expect(listed.stdout).toContain(`${question?.id}  command: run_command`);
  expect(listed.stdout).toContain("it is a command");

  // Without an answer it waits on, with the same question.
  expect((await terminal.run(["resume", "--last", "--quiet"])).code).toBe(EXIT.waiting);
  expect(approvals(terminal)).toHaveLength(1);

  const asked = terminal.server.requests.length;
  const answered = await terminal.run(["approve", question?.id.slice(0, 6) ?? "", "--reason", "it is harmless"]);
  expect(answered, answered.stderr).toMatchObject({ code: EXIT.done });
  expect(answered.stdout).toContain(`go on with: miracle resume ${terminal.task}`);
  const [kept] = approvals(terminal);
  expect(kept).toMatchObject({ status: "granted", answered_by: userInfo().username, reason: "it is harmless" });
  expect(Math.abs(Date.now() - (kept?.answered_at ?? 0))).toBeLessThan(60_000);

  const end = await terminal.run(["resume", "--last", "--quiet"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toMatchObject({ "ran.txt": "644 ran\n" });
  expect(terminal.server.requests.length - asked, "no recorded call is made again").toBe(1);
  expect(approvals(terminal)).toHaveLength(1);
  expect((await terminal.run(["approvals"])).stderr).toContain("no open questions");

  const replayed = await terminal.run(["replay", "--last"]);
  expect(replayed, replayed.stderr).toMatchObject({ code: EXIT.done });
});

test("a denial from elsewhere reaches the agent with its reason, and an answer is final", async () => {
  const terminal = await carefulTerminal(touch, touch, finish);
  await terminal.run([...direct, "--wait"]);
  const { task } = terminal;
  const end = await terminal.run(["approve", task, "--deny", "--reason", "not on my machine", "--resume", "--quiet"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).not.toHaveProperty("ran.txt");
  expect(readByModel(terminal)).toContain("not on my machine");
  // The second, equal wish was not asked about again.
  expect(approvals(terminal)).toHaveLength(1);
  expectRefusal(
    await terminal.run(["approve", approvals(terminal)[0]?.id ?? ""]),
    EXIT.badInput,
    "is answered already",
  );
  expectRefusal(await terminal.run(["approve", "nothing"]), EXIT.badInput, "there is no question nothing");
});

test("what was allowed once is not asked again in the task", async () => {
  const terminal = await carefulTerminal(touch, touch, finish);
  await terminal.run([...direct, "--approve", "command"]);
  expect(terminal.tree()).toMatchObject({ "ran.txt": "644 ran\nran\n" });
  expect(approvals(terminal)).toHaveLength(1);
});

test("what is allowed for always is not asked in the next task of this directory, and the record says why", async () => {
  const terminal = await carefulTerminal(touch, finish);
  await terminal.run([...direct, "--wait"]);
  const allowed = await terminal.run(["approve", terminal.task, "--always", "--resume", "--quiet"]);
  expect(allowed, allowed.stderr).toMatchObject({ code: EXIT.done });
  expect(allowed.stderr).toContain("config.yaml (safety.always)");

  const again = await terminal.run([...direct, "--wait"]);
  expect(again, again.stderr).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toMatchObject({ "ran.txt": "644 ran\nran\n" });
  expect(approvals(terminal).map(({ answered_by }) => answered_by)).toEqual([
    userInfo().username,
    "policy: safety.always",
  ]);

  // Another directory has its own questions.
  const elsewhere = join(terminal.root, "elsewhere");
  terminal.write({ "README.md": "another project\n" }, elsewhere);
  const asked = await terminal.run([...direct, "--wait", "--dir", elsewhere]);
  expect(asked.code, asked.stderr).toBe(EXIT.waiting);
});

const within = ["bash", "-c", `exec script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`, "bash"];
/** The person says nothing more. */
async function leave(run: ReturnType<ScriptedTerminal["start"]>) {
  await run.prints("Enter to leave");
  run.type("\r");
  return run.end;
}

const onTerminal = { within, env: { TERM: "xterm" }, stdin: null };

test("a person at the terminal is asked there, with the live view out of the way, and their words are kept", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const run = terminal.start(["run", "--direct", "touch a file"], onTerminal);
  await run.prints("Allow it?");
  run.type("yes we use it elsewhere\r");
  const end = await leave(run);
  expect(end.code, end.stdout).toBe(EXIT.done);
  expect(terminal.tree()).toMatchObject({ "ran.txt": "644 ran\n" });
  expect(approvals(terminal)).toMatchObject([
    { status: "granted", answered_by: userInfo().username, reason: "we use it elsewhere" },
  ]);
  // From the question to the answer nothing is drawn.
  const from = end.stdout.indexOf("Asks (command");
  const question = end.stdout.slice(from, end.stdout.indexOf("yes we use it", from));
  expect(question).toContain("it is a command");
  expect(question).not.toContain("\u001b[");
});

test("always, said at the terminal, is a rule from then on", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const run = terminal.start(["run", "--direct", "touch a file"], onTerminal);
  await run.prints("Allow it? [y/N/always");
  run.type("always it is ours\r");
  expect((await leave(run)).code).toBe(EXIT.done);
  await terminal.run([...direct, "--wait"]);
  expect(approvals(terminal)).toMatchObject([
    { status: "granted", reason: "it is ours" },
    { status: "granted", answered_by: "policy: safety.always" },
  ]);
});

test("an answer from elsewhere ends the question at the terminal", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const run = terminal.start(["run", "--direct", "touch a file"], onTerminal);
  await run.prints("Allow it?");
  const [question] = approvals(terminal);
  await terminal.run(["approve", question?.id ?? "", "--deny"]);
  const end = await leave(run);
  expect(end.code, end.stdout).toBe(EXIT.done);
  expect(terminal.tree()).not.toHaveProperty("ran.txt");
});

test("Ctrl-C at the question leaves it open, and the next run asks it again under the same id", async () => {
  const terminal = await carefulTerminal(touch, finish);
  const run = terminal.start(["run", "--direct", "touch a file"], onTerminal);
  await run.prints("Allow it?");
  run.type("\u0003");
  expect((await run.end).code).toBe(EXIT.interrupted);
  expect(approvals(terminal)).toMatchObject([{ status: "open" }]);
  const end = await terminal.run(["resume", "--last", "--quiet", "--yes"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(approvals(terminal)).toMatchObject([{ status: "granted" }]);
});

test("a plan is waited for like everything else", async () => {
  const { addGoal, byRole } = await import("./scripted-goal.ts");
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  const goal = "Write a module that adds two numbers";
  const waiting = await terminal.run(["run", goal, "--quiet", "--wait", "--confirm", "plan"]);
  expect(waiting.code, waiting.stderr).toBe(EXIT.waiting);
  const listed = await terminal.run(["approvals", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    request: { subject: "plan", detail: expect.stringContaining("calc.add") },
  });
  const end = await terminal.run(["approve", terminal.task, "--resume", "--quiet"]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done });
  expect(end.stdout).toContain("proven");
});

test("what is said of the change of a task that was resumed is worked in, too", async () => {
  const good = byTurn(...helloGoal);
  const louder = "say it louder";
  const terminal = await ScriptedTerminal.open((request, index) =>
    JSON.stringify(request.messages).includes(louder) ? { fault: "hang" } : good(request, index),
  );
  const waiting = await terminal.run(["run", "--direct", "--quiet", "say hello", "--wait", "--confirm", "diff"]);
  expect(waiting.code, waiting.stderr).toBe(EXIT.waiting);
  const asked = terminal.server.requests.length;
  const run = terminal.start(["resume", "--last"], onTerminal);
  await run.prints("Take this change?");
  run.type(`${louder}\r`);
  await run.prints("What you said is worked in now.");
  await terminal.asked(asked + 1);
  expect(JSON.stringify(terminal.server.requests.at(-1)?.messages)).toContain(louder);
  run.type("\u0003");
  expect((await run.end).code).toBe(EXIT.interrupted);
  expect(terminal.tree()).toEqual({});
});

test("a hook is told the call as JSON, and nothing of the person's environment", async () => {
  const terminal = await carefulTerminal(touch, finish);
  await terminal.run([...direct, "--yes"]);
  const [told] = readFileSync(join(terminal.root, "calls"), "utf8").split("\n");
  expect(JSON.parse(told ?? "")).toEqual({
    when: "before",
    tool: "run_command",
    arguments: { command: "echo ran >> ran.txt" },
    role: "coder",
    task: terminal.task,
    directory: terminal.project,
  });
});
