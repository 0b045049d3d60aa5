import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";
import type { Script } from "./model-server.ts";
import { addGoal, byRole, byTurn, call, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const direct = ["run", "--direct", "--quiet", "say hello"];
const done = { "hello.txt": "644 hello\n" };

/** Answers everything but this one request, whose sender waits for ever. */
const silentAt = (silent: number): Script => {
  const good = byTurn(...helloGoal);
  return (request, index) => (index === silent ? { fault: "hang" } : good(request, index));
};

async function expectResumable(terminal: ScriptedTerminal, ...more: string[]): Promise<void> {
  expect(terminal.tree()).toEqual({});
  const asked = terminal.server.requests.length;
  const end = await terminal.run(["resume", "--last", "--quiet", ...more]);
  expect(end, end.stderr).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual(done);
  expect(terminal.server.requests.slice(asked), "only what was not answered is asked again").toHaveLength(1);
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s stops cleanly and says how to go on", async (signal) => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  run.kill(signal);
  const end = await run.end;
  expect(end).toMatchObject({ code: EXIT.interrupted, signal: null, stderr: "" });
  expect(end.stdout).toMatch(/go on with: miracle resume (t\w+)\nstopped: task \1; everything up to here is kept\n$/);
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);
  await expectResumable(terminal);
});

test("a second Ctrl-C stops at once, whatever is under way", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct.filter((word) => word !== "--quiet"));
  await terminal.asked(2);
  // Nothing can be written any more: the clean stop has to wait.
  using lock = new DatabaseSync(terminal.line.database);
  lock.exec("begin immediate");
  run.kill("SIGINT");
  await run.prints("press Ctrl-C again to stop at once");
  run.kill("SIGINT");
  expect(await run.end).toMatchObject({ code: EXIT.interrupted, stdout: "" });
  lock.exec("rollback");
  await expectResumable(terminal);
});

test("on a terminal Ctrl-C does the same, and leaves it as it was", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const within = ["bash", "-c", `exec script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`, "bash"];
  const run = terminal.start(["run", "--direct", "say hello"], { within, env: { TERM: "xterm" }, stdin: null });
  await terminal.asked(2);
  using lock = new DatabaseSync(terminal.line.database);
  lock.exec("begin immediate");
  run.type("\u0003");
  await run.prints("press Ctrl-C again to stop at once");
  run.type("\u0003");
  const end = await run.end;
  expect(end.code).toBe(EXIT.interrupted);
  expect(end.stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(end.stdout.lastIndexOf("\u001b[?25l"));
  lock.exec("rollback");
  await expectResumable(terminal);
});

test("Ctrl-C ends a command in the sandbox with everything it started", async () => {
  const sleep = `sleep ${100_000 + process.pid}`;
  const terminal = await ScriptedTerminal.open(
    byTurn(call("run_command", { command: `(setsid ${sleep} &); ${sleep}` })),
  );
  const run = terminal.start(direct);
  const sleeping = () => commandLines().filter((line) => line === sleep).length;
  await vi.waitUntil(() => sleeping() === 2, { timeout: 30_000 });
  run.kill("SIGINT");
  expect(await run.end).toMatchObject({ code: EXIT.interrupted, stderr: "" });
  expect(sleeping()).toBe(0);
  expect(terminal.tree()).toEqual({});
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);
});

test("pause asks the working process to stop, and the task goes on", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  const pause = await terminal.run(["pause", "--last"]);
  expect(pause.stdout).toContain(`task ${terminal.task} will pause after what is under way`);
  expect(await run.end).toMatchObject({ code: EXIT.interrupted, stdout: expect.stringContaining("paused: task") });
  expectRefusal(await terminal.run(["pause", "--last"]), EXIT.badInput, /nobody works on task t\w+: it is paused/);
  await expectResumable(terminal);
});

test("cancel stops a task for good", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  expect(await terminal.run(["cancel", terminal.task])).toMatchObject({ code: EXIT.done, stderr: "" });
  const end = await run.end;
  expect(end).toMatchObject({ code: EXIT.interrupted, stdout: expect.stringContaining("cancelled: task") });
  expect(end.stdout).not.toContain("resume");
  expect(terminal.tree()).toEqual({});
  expectRefusal(await terminal.run(["resume", "--last"]), EXIT.badInput, "is over (cancelled)");
});

test("a process that died takes no wishes, and its task goes on", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  run.kill("SIGKILL");
  await run.end;
  expectRefusal(await terminal.run(["pause", "--last"]), EXIT.badInput, /nobody works on .*: its process is gone/);
  await expectResumable(terminal);
});

test("what nobody works on is cancelled at once, and stays so", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  run.kill("SIGKILL");
  await run.end;
  for (let round = 0; round < 2; round += 1) {
    const cancelled = await terminal.run(["cancel", "--last"]);
    expect(cancelled).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining("nothing of it is left in") });
  }
  expectRefusal(await terminal.run(["resume", "--last"]), EXIT.badInput, "is over (cancelled)");
});

test("a run that was refused or cancelled leaves no copy of the project behind", async () => {
  const files = { "data.bin": Buffer.alloc(32_000_000) };
  const refused = await ScriptedTerminal.open(byRole(addGoal), files);
  await refused.run(["run", "Write a module that adds two numbers", "--quiet", "--wait", "--confirm", "plan"]);
  expect((await refused.run(["approve", refused.task, "--deny", "--resume", "--quiet"])).code).toBe(EXIT.refused);
  expect(megabytesKept(refused)).toBeLessThan(8);
  for (const isKilled of [true, false]) {
    const terminal = await ScriptedTerminal.open(silentAt(1), files);
    const run = terminal.start(direct);
    await terminal.asked(2);
    expect(megabytesKept(terminal), "while it works").toBeGreaterThan(30);
    if (isKilled) run.kill("SIGKILL");
    if (isKilled) await run.end;
    expect((await terminal.run(["cancel", "--last"])).code).toBe(EXIT.done);
    await run.end;
    expect(megabytesKept(terminal), isKilled ? "killed before" : "at work").toBeLessThan(8);
  }
});

/** All that stands in the data directory and, as root, beside it. */
function megabytesKept({ line }: ScriptedTerminal): number {
  const { root } = CheckoutDirectories.open(line.dataDirectory, droppedIdentity());
  const places = [line.dataDirectory, ...(existsSync(root) && !root.startsWith(line.dataDirectory) ? [root] : [])];
  const sizes = places.flatMap((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

test("a task that is out of time goes on with more of it, and not without: the limit is the task's", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const end = await terminal.run([...direct, "--timeout", "1s"]);
  expect(end).toMatchObject({ code: EXIT.limit, stdout: expect.stringContaining("out of time: task") });
  const again = await terminal.run(["resume", "--last", "--quiet"]);
  expect(again).toMatchObject({
    code: EXIT.limit,
    stdout: expect.stringMatching(/resume \w+ --timeout.*out of time/s),
  });
  expect(terminal.server.requests).toHaveLength(2);
  await expectResumable(terminal, "--timeout", "1h");
});

test("a task that neither steps nor talks is stopped by the watchdog", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  terminal.configure("limits: { silence: 1s }");
  const end = await terminal.run(direct);
  expect(end).toMatchObject({ code: EXIT.limit, stdout: expect.stringContaining("stopped by the watchdog") });
  await expectResumable(terminal);
});

test("stop --all stops every task, and each can be resumed", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  expectRefusal(await terminal.run(["stop"]), EXIT.badInput, "say --all");
  const stopped = await terminal.run(["stop", "--all"]);
  expect(stopped.stdout).toMatch(/^1 task stopped, 0 withdrawn from the queue\n {2}go on with: miracle resume t\w+\n$/);
  expect(await run.end).toMatchObject({ stdout: expect.stringContaining("paused: task") });
  await expectResumable(terminal);
  expect(await terminal.run(["stop", "--all"])).toMatchObject({
    stdout: "0 tasks stopped, 0 withdrawn from the queue\n",
  });
});

test("stop --all --force ends a process that does not obey", async () => {
  const terminal = await ScriptedTerminal.open(silentAt(1));
  const run = terminal.start(direct);
  await terminal.asked(2);
  // A stopped process reads no wish.
  run.kill("SIGSTOP");
  const stopped = await terminal.run(["stop", "--all", "--force"]);
  expect(stopped.stdout, stopped.stderr).toMatch(/1 task stopped.*its process \d+ was ended/s);
  expect(await run.end).toMatchObject({ signal: "SIGKILL" });
  await expectResumable(terminal);
});

test("a result that was kept is applied when asked for, taken back, and applied again", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal), { "old.txt": "old\n" });
  const before = terminal.tree();
  const end = await terminal.run([...direct, "--no-apply"]);
  expect(end).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining("not applied, as you asked") });
  expect(terminal.tree()).toEqual(before);
  for (let round = 0; round < 2; round += 1) {
    expect(await terminal.run(["apply", "--last"])).toMatchObject({ code: EXIT.done, stderr: "" });
    expect(terminal.tree()).toEqual({ ...before, ...done });
    expectRefusal(await terminal.run(["apply", "--last"]), EXIT.badInput, "is applied already");
    expect(await terminal.run(["undo", "--last"])).toMatchObject({ code: EXIT.done, stderr: "" });
    expect(terminal.tree()).toEqual(before);
    expectRefusal(await terminal.run(["undo", "--last"]), EXIT.badInput, "was taken back already");
  }
  const verified = await terminal.run(["verify", "--last"]);
  expect(verified, verified.stdout).toMatchObject({ code: EXIT.done });
  const replayed = await terminal.run(["replay", "--last"]);
  expect(replayed, replayed.stderr).toMatchObject({ code: EXIT.done });
});

test("a file that the person edited meanwhile is not overwritten, neither by a run nor by apply nor by undo", async () => {
  const good = byTurn(call("edit_file", { path: "shared.txt", oldText: "old", newText: "new" }), ...helloGoal);
  const terminal = await ScriptedTerminal.open(
    (request, index) => {
      if (index === 2) edit("mine\n");
      return good(request, index);
    },
    { "shared.txt": "old\n" },
  );
  const edit = (content: string) => writeFileSync(join(terminal.project, "shared.txt"), content);
  const mine = { "shared.txt": "644 mine\n" };
  const end = await terminal.run(direct);
  expect(end).toMatchObject({ code: EXIT.conflict, stderr: "" });
  expect(end.stdout).toMatch(/not applied: nothing was written in .*: shared\.txt changed since the task started/);
  expect(terminal.tree()).toEqual(mine);
  expectRefusal(await terminal.run(["apply", "--last"]), EXIT.conflict, "shared.txt changed since the task started");
  expect(terminal.tree()).toEqual(mine);
  edit("old\n");
  expect(await terminal.run(["apply", "--last"])).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual({ "shared.txt": "644 new\n", ...done });
  edit("mine again\n");
  expectRefusal(
    await terminal.run(["undo", "--last"]),
    EXIT.conflict,
    "shared.txt changed since the result was applied",
  );
  expect(terminal.tree()).toEqual({ "shared.txt": "644 mine again\n", ...done });
  expect(await terminal.run(["undo", "--last", "--force"])).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(terminal.tree()).toEqual({ "shared.txt": "644 old\n" });
});

/** Of every process on this machine. */
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean).join(" ")];
      } catch {
        return [];
      }
    });
}
