import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { type Measurement, measurement, median, type Row } from "./measurement.ts";
import type { Place } from "./place.ts";

const RUNS = 5;
const LIMITS = { cpus: 1, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 60_000, outputBytes: 64_000 };

/**
 * The shortest command in our sandbox, with its limits and its supervision, and in bubblewrap alone; and in a container,
 * where an engine runs on this machine.
 */
export const measureSandbox = (place: Place): Measurement => {
  const sandbox = openSandbox({ backend: "bubblewrap" });
  const containers = openContainers();
  const workspace = place.openDirectory("workspace");
  const identity = droppedIdentity();
  if (identity) chownSync(workspace, identity.uid, identity.gid);
  return measurement(
    containers ? ["sandbox", "sandbox-docker"] : ["sandbox"],
    async () => {
      const plain: number[] = [];
      const ours: number[] = [];
      const contained: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        plain.push(await timed(runPlain));
        ours.push(await timed(() => runOurs(sandbox, workspace)));
        if (containers) contained.push(await timed(() => runOurs(containers, workspace)));
      }
      return { plain: median(plain), ours: median(ours), contained: containers ? median(contained) : 0 };
    },
    (samples) => {
      const plain = `bwrap ${median(samples.map((sample) => sample.plain)).toFixed(1)} ms`;
      const row = (name: string, what: string, bar: number | null, key: "ours" | "contained"): Row => ({
        name,
        what: `${what} ÷ plain bwrap`,
        value: median(samples.map((sample) => sample[key] / sample.plain)),
        unit: "×",
        bar,
        detail: `${median(samples.map((sample) => sample[key])).toFixed(1)} ms, ${plain}`,
      });
      const rows = [row("sandbox", "sandboxed `true`", 2, "ours")];
      if (containers) rows.push(row("sandbox-docker", "`true` in a container", null, "contained"));
      return rows;
    },
  );
};

function openContainers(): Sandbox | null {
  try {
    return openSandbox({ backend: "docker" });
  } catch {
    return null; // no engine runs here
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function runOurs(sandbox: Sandbox, workspace: string): Promise<void> {
  const { exitCode, stderr } = await sandbox.run({ argv: ["true"], workspace }, LIMITS, new AbortController().signal);
  if (exitCode !== 0) throw new Error(`\`true\` failed in the sandbox: ${stderr}`);
}

function runPlain(): Promise<void> {
  const args = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"];
  return new Promise((resolve, reject) => {
    const child = spawn("bwrap", args, { stdio: "ignore" });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`bwrap ended with ${code}`))));
  });
}
