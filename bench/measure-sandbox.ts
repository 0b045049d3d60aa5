import { spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const RUNS = 5;
const LIMITS = { cpus: 1, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 60_000, outputBytes: 64_000 };

/** The shortest command in our sandbox, with its limits and its supervision, and in bubblewrap alone. */
export const measureSandbox = (place: Place): Measurement => {
  const sandbox = openSandbox({ backend: "bubblewrap" });
  const workspace = place.openDirectory("workspace");
  const identity = droppedIdentity();
  if (identity) chownSync(workspace, identity.uid, identity.gid);
  return measurement(
    ["sandbox"],
    async () => {
      const plain: number[] = [];
      const ours: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        plain.push(await timed(runPlain));
        ours.push(await timed(() => runOurs(sandbox, workspace)));
      }
      return { plain: median(plain), ours: median(ours) };
    },
    (samples) => [
      {
        name: "sandbox",
        what: "sandboxed `true` ÷ plain bwrap",
        value: median(samples.map((sample) => sample.ours / sample.plain)),
        unit: "×",
        bar: 2,
        detail: `${median(samples.map(({ ours }) => ours)).toFixed(1)} ms, bwrap ${median(samples.map(({ plain }) => plain)).toFixed(1)} ms`,
      },
    ],
  );
};

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
