import { chownSync, rmSync } from "node:fs";
import { release } from "node:os";
import { TerminalFailure } from "../domain/failure.ts";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { makeScratch } from "../workspace/scratch-directory.ts";
import type { Bubblewrap } from "./bubblewrap.ts";
import type { Controller } from "./control-group.ts";
import { explainMissingGroup } from "./explain-groups.ts";
import { droppedIdentity } from "./identity.ts";
import { openBubblewrap } from "./open-sandbox.ts";
import type { Guarantee, SandboxProbe } from "./sandbox.ts";

const PROBE_LIMITS: SandboxLimits = {
  cpus: 1,
  memoryMb: 256,
  pids: 32,
  diskMb: 16,
  timeoutMs: 10_000,
  outputBytes: 4_096,
};

/** Runs one harmless command in the sandbox and reports which protections hold. For `doctor`: a run needs no probe. */
export async function probeSandbox(open: () => Bubblewrap = openBubblewrap): Promise<SandboxProbe> {
  const identity = droppedIdentity();
  const workspace = makeScratch("probe");
  try {
    if (identity) chownSync(workspace, identity.uid, identity.gid);
    await using sandbox = open();
    const command = { argv: ["cat", "/proc/self/status"], workspace };
    const result = await sandbox.run(command, PROBE_LIMITS, new AbortController().signal);
    const problem = result.exitCode === 0 ? "" : `\`cat\` failed in the sandbox: ${result.stderr.trim()}`;
    return { usable: problem === "", problem, guarantees: guaranteesOf(sandbox, result.stdout) };
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    return { usable: false, problem: error.message, guarantees: [] };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** `status` is what the kernel says of a process inside. */
function guaranteesOf(sandbox: Bubblewrap, status: string): Guarantee[] {
  const identity = droppedIdentity();
  const filtered = /^Seccomp:\s2$/m.test(status);
  const rights = /^CapEff:\s0+$/m.test(status) && /^NoNewPrivs:\s1$/m.test(status);
  return [
    counted(sandbox, "memory", "memory", "each process by itself, not their sum"),
    counted(sandbox, "processes", "pids", countsPerNamespace() ? null : "not limited"),
    counted(sandbox, "cpu", "cpu", "not limited"),
    holding("disk", "each file by the kernel, the sum and the number of files watched, /tmp and /dev/shm sized"),
    holding("time", "ended with all it has started"),
    filtered
      ? holding("system calls", `filtered (${process.arch})`)
      : lacking("system calls", "not filtered", "use a kernel with CONFIG_SECCOMP_FILTER"),
    rights
      ? holding("rights", `none, as ${identity ? `user id ${identity.uid}` : "you in a user namespace"}`)
      : lacking("rights", "a process inside has some", "report this: it should not be"),
    holding("network", "off, but for hosts that are allowed"),
    ...sandbox.losses.map((loss) => {
      const [name = loss, how = ""] = loss.split(": ", 2);
      return lacking(name, how, "install bubblewrap 0.8 or newer");
    }),
  ];
}

/** `otherwise` says how much holds without a control group; null if that is as good. */
function counted(sandbox: Bubblewrap, name: string, controller: Controller, otherwise: string | null): Guarantee {
  const group = sandbox.groups.holds(controller);
  if (group !== null) return holding(name, group);
  if (otherwise === null) return holding(name, "counted in the user namespace");
  const { why, remedy } = explainMissingGroup(controller);
  return lacking(name, `${otherwise}: ${why}`, remedy);
}

const holding = (name: string, how: string): Guarantee => ({ name, holds: true, how, remedy: "" });
const lacking = (name: string, how: string, remedy: string): Guarantee => ({ name, holds: false, how, remedy });

/** Since Linux 5.14 processes are counted per user namespace; before, over everything the user runs. */
function countsPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
