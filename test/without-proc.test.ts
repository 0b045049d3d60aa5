import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { CommandLine } from "./command-line.ts";
import { startModelServer } from "./model-server.ts";
import { isRoot } from "./ordinary-user.ts";
import { byTurn, heldGoal, helloGoal } from "./scripted-goal.ts";
import { quickPlace } from "./temporary.ts";

vi.setConfig({ testTimeout: 180_000 });

/** This machine without `/proc`, as macOS is. The command keeps its number: whoever kills it also sees it go. */
const HIDE = 'mount -t tmpfs none /proc; exec "$@"';
const WITHOUT_PROC = ["unshare", "--mount", ...(isRoot ? [] : ["--map-root-user"]), "sh", "-ec", HIDE, "sh"];

async function personWith(script: Parameters<typeof startModelServer>[0]) {
  const server = await startModelServer(script);
  const root = mkdtempSync(join(quickPlace(), "miracle-without-proc-"));
  onTestFinished(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });
  return new CommandLine(root, server.baseUrl);
}

const RUN = ["run", "say hello", "--direct", "--sandbox", "process", "--accept", "test -e hello.txt", "--quiet"];

test("a task without isolation comes to its end where there is no /proc", async () => {
  const line = await personWith(byTurn(...helloGoal));
  const end = await line.start(RUN, { within: WITHOUT_PROC }).end;
  expect(end.code, end.stderr).toBe(EXIT.done);
});

test("a living task is not claimed twice where there is no /proc, and a dead one is", async () => {
  const { script, release } = heldGoal();
  const line = await personWith(script);
  const working = line.start(RUN, { within: WITHOUT_PROC });
  const resume = () => line.start(["resume", "--last", "--quiet"], { within: WITHOUT_PROC }).end;
  const history = () => line.start(["history"], { within: WITHOUT_PROC }).end;
  await vi.waitFor(async () => expect((await history()).stdout).toContain("running"), 60_000);
  const second = await resume();
  expect(second.code, second.stdout).toBe(EXIT.badInput);
  expect(second.stderr).toContain("is being worked on by process");
  working.kill("SIGKILL");
  await working.end;
  release();
  const third = await resume();
  expect(third.code, third.stderr).toBe(EXIT.done);
});

test("two processes with one number differ in when they started, also where only ps tells it", async () => {
  const { processStart } = await import("../src/journal/process-start.ts");
  const child = spawn("sleep", ["600"]);
  const { pid = 0 } = child;
  const started = processStart(pid);
  expect(started).toBeDefined();
  expect(processStart(pid)).toBe(started);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(processStart(pid)).toBeUndefined();
});
