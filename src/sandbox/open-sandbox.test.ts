import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Bubblewrap } from "./bubblewrap.ts";
import { droppedIdentity } from "./identity.ts";
import { openBubblewrap, openSandbox } from "./open-sandbox.ts";
import { probeSandbox } from "./probe.ts";
import type { Mount } from "./sandbox.ts";

const LIMITS = { cpus: 1, memoryMb: 200, pids: 48, diskMb: 16, timeoutMs: 10_000, outputBytes: 10_000 };
const isRoot = process.getuid?.() === 0;
const signal = new AbortController().signal;
let directory: string;
let workspace: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "miracle-open-"));
  chmodSync(directory, 0o755);
  workspace = join(directory, "workspace");
  mkdirSync(workspace);
  const owner = droppedIdentity();
  if (owner) chownSync(workspace, owner.uid, owner.gid);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** A program in the place of bwrap. */
function program(script: string): string {
  const path = join(directory, "bwrap");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test("says what to install when there is no bubblewrap", () => {
  expect(() => openBubblewrap([join(directory, "bwrap")])).toThrow(/apt-get install bubblewrap, .*--sandbox process/);
});

test.each([
  ["bwrap: setting up uid map: Permission denied", "namespaces"],
  ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "namespaces"],
  ["bwrap: Failed to make / slave: Permission denied", "container"],
  ["bwrap: Unknown option --unshare-all", "install version 0.8 or newer"],
  ["bwrap: prctl(PR_SET_SECCOMP): Invalid argument", "CONFIG_SECCOMP_FILTER"],
])("fails closed and explains %j", async (message, remedy) => {
  const run = new Bubblewrap(program(`echo '${message}' >&2; exit 1`)).run(
    { argv: ["true"], workspace },
    LIMITS,
    signal,
  );
  await expect(run).rejects.toMatchObject({ failure: { kind: "environment", code: "sandbox.unavailable" } });
  await expect(run).rejects.toThrow(remedy);
  await expect(run).rejects.toThrow("--sandbox process");
});

test("does without an option that an older bubblewrap lacks, and reports what is lost", async () => {
  const old = program(
    'for a in $(tr "\\0" "\\n" < /proc/self/fd/10); do case $a in --disable-userns|--size) echo "bwrap: Unknown option $a" >&2; exit 1;; esac; done; exec /usr/bin/bwrap "$@"',
  );
  const sandbox = new Bubblewrap(old);
  expect(await sandbox.run({ argv: ["echo", "--size"], workspace }, LIMITS, signal)).toMatchObject({
    stdout: "--size\n",
  });
  expect(sandbox.losses).toEqual(["nested user namespaces: not blocked", "size of /tmp: not enforced"]);
});

test("the probe says which limits hold", async () => {
  const probe = await probeSandbox();
  expect(probe).toMatchObject({ usable: true, problem: "" });
  const names = probe.guarantees.map(({ name }) => name);
  expect(names).toEqual(["memory", "processes", "cpu", "disk", "time", "system calls", "rights", "network"]);
  const mustHold = new Set(["disk", "time", "system calls", "rights", "network"]);
  expect(probe.guarantees.filter(({ name, holds }) => mustHold.has(name) && !holds)).toEqual([]);
  for (const { holds, remedy } of probe.guarantees) expect(remedy !== "").toBe(!holds);
});

test("the probe of a machine that cannot says why", async () => {
  const broken = program("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
  const probe = await probeSandbox(() => new Bubblewrap(broken));
  expect(probe.usable).toBe(false);
  expect(probe.problem).toContain("uid map");
  expect((await probeSandbox(() => openBubblewrap([]))).problem).toContain("apt-get install bubblewrap");
});

test.runIf(isRoot)("says which directory bars the way to a workspace", async () => {
  chmodSync(directory, 0o700);
  const run = openSandbox({ backend: "bubblewrap" }).run({ argv: ["true"], workspace }, LIMITS, signal);
  await expect(run).rejects.toThrow(`cannot reach ${workspace}: ${directory} is closed to the user id`);
});

test.runIf(isRoot)("says when a workspace does not belong to the sandbox", async () => {
  chownSync(workspace, 0, 0);
  const run = openSandbox({ backend: "bubblewrap" }).run({ argv: ["true"], workspace }, LIMITS, signal);
  await expect(run).rejects.toThrow("must belong to the user id");
});

test.runIf(isRoot)("keeps nothing of a shell that was made ready in vain", async () => {
  // What only root can reach needs another shell than the rest: by turns, each one that waits is the wrong one.
  vi.stubEnv("TMPDIR", directory);
  const closed = join(directory, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const sandbox = openBubblewrap();
  const once = (mounts: Mount[]) => sandbox.run({ argv: ["sleep", "0.1"], workspace, mounts }, LIMITS, signal);
  const byTurns = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await once([]);
      await once([{ from: closed, to: "/opt/closed" }]);
    }
    return readdirSync("/proc/self/fd").length;
  };
  const before = await byTurns(2);
  expect(await byTurns(8)).toBeLessThan(before + 8);
  await sandbox[Symbol.asyncDispose]();
  expect(readdirSync(directory).sort()).toEqual(["closed", "workspace"]);
});

test("a command dies with the process that started it", async () => {
  const script = `
    import { openSandbox } from ${JSON.stringify(fileURLToPath(new URL("open-sandbox.ts", import.meta.url)))};
    const argv = ["bash", "-c", "touch started; exec 9>held; flock 9; sleep 43221"];
    await openSandbox({ backend: "bubblewrap" }).run({ argv, workspace: ${JSON.stringify(workspace)} }, ${JSON.stringify(LIMITS)}, new AbortController().signal);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], { stdio: "inherit" });
  const closed = once(child, "close");
  await expect.poll(() => existsSync(join(workspace, "started")), { timeout: 10_000 }).toBe(true);
  child.kill("SIGKILL");
  await closed;
  // The lock is held as long as anything of the command lives.
  const sandbox = openSandbox({ backend: "bubblewrap" });
  const next = await sandbox.run({ argv: ["flock", "held", "echo", "free"], workspace }, LIMITS, signal);
  expect(next.stdout).toBe("free\n");
});
