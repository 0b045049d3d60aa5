import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { describeTree } from "./awkward-tree.ts";
import type { Script, ServedRequest } from "./model-server.ts";
import { addGoal, call, roleOf } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";

const turn = ({ messages }: ServedRequest) => messages.filter(({ role }) => role === "assistant").length;

/** Which file a direct goal wants: `write NAME`. */
const wanted = ({ messages }: ServedRequest) => /write (\S+\.txt)/.exec(messages[0]?.text ?? "")?.[1] ?? "none.txt";

/** Writes the file its goal names; every first turn waits until as many others wait as there are to be. */
function together(count: number): Script {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  return async (request) => {
    if (turn(request) > 0) return { toolCalls: [call("finish", { summary: "done" })] };
    waiting += 1;
    if (waiting === count) all.resolve();
    await all.promise;
    return { toolCalls: [call("create_file", { path: wanted(request), content: `${wanted(request)}\n` })] };
  };
}

const direct = (name: string, ...flags: string[]) => ["run", "--direct", "--quiet", `write ${name}`, ...flags];

test("runs on one data directory and different projects do not disturb each other, and history works meanwhile", async () => {
  const terminal = await ScriptedTerminal.open(together(4));
  const names = ["one", "two", "three", "four"];
  const runs = names.map((name) => {
    mkdirSync(join(terminal.root, name));
    return terminal.start(direct(`${name}.txt`), { cwd: join(terminal.root, name) });
  });
  await terminal.asked(4);
  const history = await terminal.run(["history", "--json"]);
  expect(history).toMatchObject({ code: EXIT.done, stderr: "" });
  const shown = history.stdout.trim().split("\n");
  expect(shown).toHaveLength(4);
  expect(await Promise.all(runs.map((run) => run.end))).toMatchObject(
    names.map(() => ({ code: EXIT.done, stderr: "" })),
  );
  for (const name of names) {
    expect({ ...describeTree(join(terminal.root, name)) }).toEqual({ [`${name}.txt`]: `644 ${name}.txt\n` });
  }
  expect(terminal.tasks().map(({ status }) => status)).toEqual(names.map(() => "checked"));
  for (const { id } of terminal.tasks()) {
    expect(await terminal.run(["verify", id])).toMatchObject({ code: EXIT.done });
    expect(await terminal.run(["replay", id])).toMatchObject({ code: EXIT.done });
  }
});

test("two runs on the same project each add their own change", async () => {
  const terminal = await ScriptedTerminal.open(together(2), { "kept.txt": "kept\n" });
  const runs = [terminal.start(direct("one.txt")), terminal.start(direct("two.txt"))];
  expect(await Promise.all(runs.map((run) => run.end))).toMatchObject([{ code: EXIT.done }, { code: EXIT.done }]);
  expect(terminal.tree()).toEqual({
    "kept.txt": "644 kept\n",
    "one.txt": "644 one.txt\n",
    "two.txt": "644 two.txt\n",
  });
});

test("of two runs that make the same file differently one is applied and the other keeps its result", async () => {
  const script = together(2);
  let count = 0;
  const terminal = await ScriptedTerminal.open(async (request, index) => {
    const answer = await script(request, index);
    if (turn(request) > 0) return answer;
    count += 1;
    return { toolCalls: [call("create_file", { path: "same.txt", content: `version ${count}\n` })] };
  });
  const runs = [terminal.start(direct("same.txt")), terminal.start(direct("same.txt"))];
  const ends = await Promise.all(runs.map((run) => run.end));
  expect(ends.map(({ code }) => code).sort()).toEqual([EXIT.done, EXIT.conflict]);
  const refused = ends.find(({ code }) => code === EXIT.conflict);
  expect(refused?.stdout).toMatch(/not applied: nothing was written in .*: same\.txt changed since the task started/);
  const [file] = Object.values(terminal.tree());
  expect(file).toMatch(/^644 version [12]\n$/);
  const diffs = await Promise.all(terminal.tasks().map(({ id }) => terminal.run(["diff", id])));
  expect(diffs.map(({ stdout }) => /^\+version \d/m.exec(stdout)?.[0]).sort()).toEqual(["+version 1", "+version 2"]);
});

test("whole loops run at the same time, each to its proof", async () => {
  const terminal = await ScriptedTerminal.open((request) => {
    const role = roleOf(request);
    const later = role === "coder" && request.messages[0]?.text.includes("Notes from earlier attempts");
    const next = addGoal[role][turn(request) + (later ? 2 : 0)];
    return { toolCalls: [next ?? call("finish", { summary: "" })] };
  });
  const runs = ["one", "two"].map((name) => {
    mkdirSync(join(terminal.root, name));
    const goal = ["run", "--quiet", "Write a module that adds two numbers"];
    return terminal.start(goal, { cwd: join(terminal.root, name) });
  });
  const ends = await Promise.all(runs.map((run) => run.end));
  expect(ends, ends.map(({ stdout }) => stdout).join()).toMatchObject([{ code: EXIT.done }, { code: EXIT.done }]);
  expect({ ...describeTree(join(terminal.root, "one")) }).toEqual({ ...describeTree(join(terminal.root, "two")) });
});

test("a run whose reader goes away is stopped and not done", async () => {
  const terminal = await ScriptedTerminal.open(together(1));
  const within = ["bash", "-o", "pipefail", "-c", '"$@" | head -n 1', "bash"];
  const end = await terminal.run(["run", "--direct", "--json", "write one.txt"], { within });
  expect(end).toMatchObject({ code: EXIT.interrupted, stderr: "" });
  expect(await terminal.run(["resume", "--last", "--quiet"])).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual({ "one.txt": "644 one.txt\n" });
});

test("a task that is being worked on is not taken by another process", async () => {
  const go = Promise.withResolvers<void>();
  const script = together(1);
  const terminal = await ScriptedTerminal.open(async (request, index) => {
    await go.promise;
    return script(request, index);
  });
  const run = terminal.start(direct("one.txt"));
  await terminal.asked(1);
  const { task } = terminal;
  const live = new RegExp(`task ${task} is being worked on by process ${run.pid} .*miracle watch ${task}`);
  expectRefusal(await terminal.run(["resume", task]), EXIT.badInput, live);
  expectRefusal(await terminal.run(["resume", "--last"]), EXIT.badInput, live);
  expectRefusal(await terminal.run(["undo", task]), EXIT.badInput, /was never applied|is being worked on/);
  expectRefusal(await terminal.run(["prune", task, "--yes"]), EXIT.badInput, /worked on/);
  const watch = terminal.start(["watch", task]);
  await watch.prints("coding, iteration 1");
  go.resolve();
  expect(await run.end).toMatchObject({ code: EXIT.done, stderr: "" });
  expect(await watch.end).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining(`task ${task}: checked`) });
  expectRefusal(await terminal.run(["resume", task]), EXIT.badInput, `task ${task} is over (checked)`);
});
