import { expect, test } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import type { Script } from "./model-server.ts";
import { byTurn, heldGoal, helloGoal } from "./scripted-goal.ts";
import { expectRefusal, ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

async function open(settings: string, script: Script = byTurn(...helloGoal)) {
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(`direct: true\n${settings}`);
  const api = await ServedApi.start(terminal);
  const env = { MIRACLE_SERVER: api.origin, MIRACLE_TOKEN: api.token };
  return { terminal, api, env, run: (args: string[]) => terminal.run(args, { env }) };
}

test("a goal is run by a server and followed from here, with the exit code of its end", async () => {
  const { terminal, api, run } = await open("");
  const end = await run(["run", "--quiet", "say hello"]);
  expect(end).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining("not checked: no command") });
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  const watched = await terminal.run(["watch", "--last", "--json", "--server", api.origin], {
    env: { MIRACLE_TOKEN: api.token },
  });
  const types = watched.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(types[0]).toBe("task-started");
  expect(types.slice(-2)).toEqual(["task-settled", "run-ended"]);
});

test("a question of a task at a server is answered from here, and the server goes on by itself", async () => {
  const { terminal, api, run } = await open("confirm: [diff]\n");
  const waiting = await run(["run", "--quiet", "say hello"]);
  expect(waiting).toMatchObject({ code: EXIT.waiting, stdout: expect.stringContaining("waiting: task") });
  const told = await run(["tell", "--last", "in English"]);
  expect(told.stdout).toContain(`told task ${terminal.task} at ${api.origin}`);
  const answered = await run(["approve", terminal.task, "--reason", "looks right"]);
  expect(answered).toMatchObject({ code: EXIT.done, stdout: expect.stringMatching(/^allowed: /) });
  await api.reaches(terminal.task, "checked");
  expectRefusal(await run(["approve", terminal.task]), EXIT.badInput, "no open question");
});

test("what a server cannot do is said in one line", async () => {
  const { terminal, api, env, run } = await open("");
  expectRefusal(await run(["run", "--attach", "x.png", "say hello"]), EXIT.badInput, "--attach is not for a server");
  expectRefusal(
    await terminal.run(["watch", "--last"], { env: { ...env, MIRACLE_TOKEN: "mt_wrong" } }),
    EXIT.environment,
    "token",
  );
  expectRefusal(await terminal.run(["watch", "--last", "--server", "ftp://x"], { env }), EXIT.badInput, "--server");
  await api.kill();
  expectRefusal(await run(["watch", "--last"]), EXIT.transient, "no server answers");
});

test("a server that is killed and started again is followed on", async () => {
  const { script, release } = heldGoal();
  const { terminal, api, env } = await open("", script);
  const following = terminal.start(["run", "--quiet", "say hello"], { env });
  await terminal.asked(2);
  const { port } = new URL(api.origin);
  await api.kill();
  release();
  await ServedApi.start(terminal, { token: api.token, flags: ["--port", port] });
  expect(await following.end).toMatchObject({ code: EXIT.done });
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
});
