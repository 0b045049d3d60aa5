import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { TerminalFailure } from "../domain/failure.ts";
import type { SandboxLimits } from "../domain/settings.ts";
import type { Bubblewrap } from "./bubblewrap.ts";
import { droppedIdentity } from "./identity.ts";
import { openBubblewrap } from "./open-sandbox.ts";
import type { SandboxProbe } from "./sandbox.ts";

const PROBE_LIMITS: SandboxLimits = {
  cpus: 1,
  memoryMb: 256,
  pids: 32,
  diskMb: 16,
  timeoutMs: 10_000,
  outputBytes: 4_096,
};

/** Runs one harmless command in the sandbox and says what holds here. For `doctor`: a run needs no probe of its own. */
export async function probeSandbox(open: () => Bubblewrap = openBubblewrap): Promise<SandboxProbe> {
  const identity = droppedIdentity();
  const workspace = mkdtempSync(join(tmpdir(), "miracle-probe-"));
  try {
    if (identity) chownSync(workspace, identity.uid, identity.gid);
    const sandbox = open();
    const command = { argv: ["true"], workspace };
    const result = await sandbox.run(command, PROBE_LIMITS, new AbortController().signal);
    const problem = result.exitCode === 0 ? "" : `\`true\` failed in the sandbox: ${result.stderr.trim()}`;
    return { usable: problem === "", problem, limits: limitsOf(sandbox) };
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    return { usable: false, problem: error.message, limits: {} };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function limitsOf(sandbox: Bubblewrap): Record<string, string> {
  const { groups } = sandbox;
  const identity = droppedIdentity();
  return {
    memory: groups.holds("memory") ?? "per process only (no writable cgroup)",
    processes: groups.holds("pids") ?? (countsPerNamespace() ? "RLIMIT_NPROC" : "not enforced (no writable cgroup)"),
    cpu: groups.holds("cpu") ?? "not enforced (no writable cgroup)",
    disk: "RLIMIT_FSIZE for each file, the sum watched, /tmp sized",
    network: "none",
    identity: identity ? `uid ${identity.uid}` : "your own, in a user namespace",
    ...Object.fromEntries(sandbox.losses.map((loss) => loss.split(": ", 2))),
  };
}

/** Since Linux 5.14 processes are counted for each user namespace; before, over all that the user runs. */
function countsPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
