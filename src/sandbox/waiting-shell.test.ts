import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ControlGroups } from "./control-groups.ts";
import { filterFile } from "./seccomp/filter-file.ts";
import { supervise } from "./supervise.ts";
import { WaitingShell } from "./waiting-shell.ts";

const LIMITS = { cpus: 1, memoryMb: 200, pids: 48, diskMb: 16, timeoutMs: 10_000, outputBytes: 10_000 };
const signal = new AbortController().signal;
const newShell = () => new WaitingShell(new ControlGroups([]), { identity: null, filter: filterFile(), covered: [] });

const supervision = {
  input: "\n",
  timeoutMs: 5_000,
  outputBytes: 1_000,
  kill: (pid: number) => void process.kill(pid),
};

test("does what it is ordered, and hands over what is printed", async () => {
  const shell = newShell();
  const output = await shell.give({ script: "echo out; echo err >&2; exit 3", options: "" }, LIMITS);
  const { exitCode, stdout, stderr } = await supervise(shell.child, { ...supervision, output }, signal);
  expect([exitCode, stdout.text(), stderr.text()]).toEqual([3, "out\n", "err\n"]);
  await shell.clear();
});

test("one that was killed while it waited is not ready, and whoever takes it all the same is told of its end", async () => {
  const shell = newShell();
  const closed = new Promise((resolve) => shell.child.once("close", resolve));
  shell.child.ref();
  shell.child.kill("SIGKILL");
  await closed;
  expect(shell.isReady).toBe(false);
  const output = await shell.give({ script: "echo out", options: "" }, LIMITS);
  expect(await supervise(shell.child, { ...supervision, output }, signal)).toMatchObject({ signal: "SIGKILL" });
  await shell.clear();
});

test("one that is dismissed before it is ready holds nobody up, and nobody ends for lack of it", async () => {
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).pathname);
  const script = `
    import { ControlGroups } from ${at("control-groups.ts")};
    import { filterFile } from ${at("seccomp/filter-file.ts")};
    import { WaitingShell } from ${at("waiting-shell.ts")};
    await new WaitingShell(new ControlGroups([]), { identity: null, filter: filterFile(), covered: [] }).dismiss();
    console.log("after");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", script]);
  expect(stdout).toBe("after\n");
});
