import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
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
  await miracle("continue", "and", "now", "in", "French");
  expect(planned[0]).toMatch(
    /^first-choice: .*# Goal\\nand now in French.*What was done before.*The goal was: say hello/,
  );
  expect(planned[0]).toContain("It changed hello.txt.");
});
