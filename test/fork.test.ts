import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line.ts";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { AppBuilder } from "./app-builder.ts";
import { fakeTerminal } from "./fake-terminal.ts";
import { call } from "./scripted-goal.ts";

test("a task is forked from a step with another model and prompt, compared with its parent, and outlives it", async () => {
  const builder = await AppBuilder.create((request) => {
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const word = request.system.startsWith("Say it louder") ? "HELLO" : "hello";
    const turns = [
      call("create_file", { path: "greeting.txt", content: "…\n" }),
      call("edit_file", { path: "greeting.txt", oldText: "…", newText: word }),
    ];
    return { toolCalls: [turns[turn] ?? call("finish", { summary: `wrote ${word}` })] };
  });
  const env = { MIRACLE_HOME: builder.dataDirectory, MIRACLE_BASE_URL: builder.server.baseUrl, PATH: "/usr/bin:/bin" };
  const miracle = async (...words: string[]) => {
    const terminal = fakeTerminal({ directory: builder.directory, home: builder.dataDirectory, env });
    const exit = await runCommandLine(words, terminal);
    return { exit, output: terminal.outputs(), error: terminal.errors() };
  };
  const ran = await miracle("run", "--direct", "greet", "--json");
  const parent = String(JSON.parse(ran.output.trim().split("\n").at(-1) ?? "").task);
  const steps = (await miracle("show", parent, "--steps")).output;
  expect(steps).toMatch(/model +task\/iteration:1\/code\/2 {2}\d+ ms {2}\S+k? tokens {2}\$0\.00 {2}local\/default$/m);
  expect(JSON.parse((await miracle("show", parent, "--step", "0", "--json")).output)).toMatchObject({
    path: "task/survey/1",
    output: { files: 0 },
  });

  const prompt = join(builder.dataDirectory, "louder.md");
  writeFileSync(prompt, "Say it louder than before.\n");
  const asked = builder.server.requests.length;
  const at = "task/iteration:1/code/2";
  const flags = ["--model", "coder=local/other", "--prompt", `coder=${prompt}`, "--json"];
  const forked = await miracle("fork", parent, "--at", at, ...flags);
  expect(forked.exit, forked.error).toBe(EXIT.done);
  const fork = String(JSON.parse(forked.output.trim().split("\n").at(-1) ?? "").task);
  const since = builder.server.requests.slice(asked);
  expect(since.map(({ model }) => model)).toEqual(["other", "other"]);
  expect(builder.files()).toEqual({ "greeting.txt": "hello\n" });
  expect((await miracle("show", fork)).output).toMatch(new RegExp(`fork of {4}${parent}, from step \\d+ on`));

  const compared = (await miracle("diff", parent, fork)).output;
  expect(compared).toContain(`${at} (model): its input differs`);
  expect(compared).toContain("messages.0.content");
  expect(compared).toMatch(/verdict +checked +checked/);
  expect(compared).toMatch(/1 file of the results differs\n {4}greeting\.txt/);
  expect((await miracle("diff", parent, fork, "--patch")).output).toContain("-hello\n+HELLO");

  const counted = JSON.parse((await miracle("metrics", "--json")).output);
  expect(counted.summary).toMatchObject({ tasks: 2, forks: 1, checked: 2, successRate: 1 });
  // The fork counts only what it used up itself.
  expect(counted.byModel).toMatchObject({ "local/default": { calls: 3 }, "local/other": { calls: 2 } });
  expect((await miracle("metrics")).output).toMatch(/success +100 % of 2: 0 proven, 2 checked/);
  expect((await miracle("metrics", "--by", "role")).output).toMatch(/^ {2}coder +5 +0 /m);
  expect((await miracle("show", fork)).output).toMatch(/spent by role\n {4}coder {2}free, .* 2 calls/);

  const kept = (task: string) => readdirSync(join(builder.dataDirectory, "artifacts.git/refs/miracle", task)).sort();
  const trees = kept(parent);
  expect((await miracle("prune", parent, "--yes")).exit).toBe(EXIT.done);
  expect(kept(fork)).toEqual(expect.arrayContaining(trees));
  expect((await miracle("verify", fork)).output).toMatch(/holds: \d+ steps/);
  expect((await miracle("replay", fork)).output).toContain("replays to the same end: checked");
  expect((await miracle("diff", fork)).output).toContain("+HELLO");

  // Made and begun apart, as after a crash in between; from its first step on everything is done anew.
  const made = JSON.parse((await miracle("fork", fork, "--at", "0", "--no-run", "--json")).output);
  expect(made).toMatchObject({ steps: 0 });
  expect((await miracle("resume", made.task, "--quiet")).output).toContain("wrote HELLO");
  expect((await miracle("fork", fork, "--at", "task/settle/1", "--quiet")).output).toContain("checked");

  const wrong = await miracle("fork", fork, "--at", "9999");
  expect(wrong).toMatchObject({ exit: EXIT.badInput, error: expect.stringContaining("has no step 9999") });
  expect((await miracle("fork", fork, "--at", "0", "--model", "codr=local/x")).error).toContain("coder");
});
