import { dirname } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { readFrozen } from "../src/journal/journal.ts";
import { listTasks } from "../src/store/tasks.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import type { Script } from "./model-server.ts";
import { byTurn, helloGoal } from "./scripted-goal.ts";

test("continue without an id goes on from the newest task here: its goal is known, and its model is asked", async () => {
  const hello = byTurn(...helloGoal);
  const planned: string[] = [];
  const script: Script = (request, index) => {
    if (!request.system.startsWith("You plan software work")) return hello(request, index);
    planned.push(`${request.model}: ${JSON.stringify(request.messages)}`);
    return { toolCalls: [{ name: "finish", arguments: {} }] };
  };
  const builder = await AppBuilder.create(script, { "README.md": "a project\n" });
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = (...words: string[]) =>
    runCommandLine(words, fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env }));
  expect(await miracle("run", "--direct", "-m", "local/first-choice", "say hello")).toBe(EXIT.done);
  // The planner never gives a plan: what it was shown is all that this is about.
  const told = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
  await runCommandLine(["continue", "and", "now", "in", "French"], told);
  expect(told.errors()).toMatch(/^goes on from task t\w+: say hello\n/);
  expect(planned[0]).toMatch(
    /^first-choice: .*# Goal\\nand now in French.*What was done before.*The goal was: say hello/,
  );
  expect(planned[0]).toContain("It changed hello.txt.");
});

test("continue --as-before has the limits, the questions and the ways of the task it goes on from, but for what is given", async () => {
  const builder = await AppBuilder.create(byTurn(...helloGoal), { "README.md": "a project\n" });
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = (...words: string[]) =>
    runCommandLine(words, fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env }));
  const asked = ["--direct", "--accept", "true", "--max-cost", "1.25", "--max-tokens", "99999", "--max-turns", "7"];
  const flags = ["--confirm", "plan", "--no-apply", "--write-scope", "hello.txt", "--no-memory", "-m", "local/free"];
  expect(await miracle("run", ...asked, ...flags, "say hello")).toBe(EXIT.done);
  expect(await miracle("continue", "--as-before", "--max-tokens", "88888", "and", "again")).toBe(EXIT.done);
  const app = await builder.open();
  const { tasks } = await listTasks(app.store, { limit: 5 });
  const [again, first] = await Promise.all(tasks.map(async ({ id }) => await readFrozen(await app.recording(id))));
  expect(again?.request).toMatchObject({ goal: "and again", apply: false });
  expect(first?.settings.limits).toMatchObject({ maxCostMicros: 1_250_000, maxTokens: 99_999, maxTurns: 7 });
  expect(again?.settings).toEqual({
    ...first?.settings,
    limits: { ...first?.settings.limits, maxTokens: 88_888 },
  });
});

test("resume --last where no task was started names the newest of all, and goes on with it only if it is meant", async () => {
  const builder = await AppBuilder.create(byTurn(...helloGoal), { "README.md": "a project\n" });
  const env = {
    MIRACLE_HOME: builder.dataDirectory,
    MIRACLE_BASE_URL: builder.server.baseUrl,
    PATH: "/usr/bin:/bin",
    NO_COLOR: "1",
  };
  const at = (directory: string, input = "") =>
    fakeTerminal({
      directory,
      home: builder.dataDirectory,
      env,
      input,
      inputIsTerminal: input !== "",
      errorIsTerminal: true,
      columns: 400,
    });
  expect(await runCommandLine(["run", "--direct", "-m", "local/free", "say hello"], at(builder.directory))).toBe(
    EXIT.done,
  );
  const told = [];
  for (const input of ["", "\n", "y\n"]) {
    const terminal = at(dirname(builder.directory), input);
    expect(await runCommandLine(["resume", "--last"], terminal)).toBe(EXIT.badInput);
    told.push(terminal.errors());
  }
  const named = /newest of all is t\w+ in .*: say hello/;
  expect(told).toEqual([
    expect.stringMatching(/^miracle: no task was started in this directory; .*miracle resume t\w+\)\n$/),
    expect.stringMatching(/Go on with it\?.*no task was started in this directory/s),
    expect.stringContaining("is over"),
  ]);
  for (const one of told) expect(one).toMatch(named);
});
