import { z } from "zod";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Toolchain } from "../../languages/language.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { driverFor } from "./benchmark.ts";

export const BenchmarkRun = z.object({
  /** From the moment the input was made until the result was there, by our clock. */
  workMs: z.number(),
  /** The whole process. */
  totalMs: z.number(),
  /** A digest of the result; null when there is none. */
  result: z.string().nullable(),
  /** Why there is none; empty when there is. */
  problem: z.string(),
});
export type BenchmarkRun = z.infer<typeof BenchmarkRun>;

interface BenchmarkRequest {
  sandbox: Sandbox;
  limits: SandboxLimits;
  signal: AbortSignal;
  toolchain: Pick<Toolchain, "mounts" | "path" | "env">;
  workspace: string;
  path: string;
  size: number;
  seed: number;
  /** Nobody knows it before: only our driver's lines begin with it. */
  mark: string;
}

const LONGEST_MS = 30_000;

/** One run in a process of its own. Whatever the code does to clocks of its own, ours goes on. */
export async function runBenchmark(request: BenchmarkRequest): Promise<BenchmarkRun> {
  const { sandbox, limits, signal, toolchain, workspace, path, size, seed, mark } = request;
  let said = "";
  let ready: number | null = null;
  let done: number | null = null;
  const result = await sandbox.run(
    {
      argv: driverFor(path),
      stdin: `${size} ${seed} ${mark}\n`,
      workspace,
      mounts: toolchain.mounts,
      path: toolchain.path,
      env: toolchain.env,
      onOutput: (stream, chunk) => {
        if (stream !== "stdout" || done !== null) return;
        said = `${said}${chunk.toString("latin1")}`.slice(-LONGEST_LINE);
        if (ready === null && said.includes(`${mark} ready`)) ready = performance.now();
        if (ready !== null && said.includes(`${mark} done `)) done = performance.now();
      },
    },
    { ...limits, timeoutMs: Math.min(limits.timeoutMs, LONGEST_MS) },
    signal,
  );
  const totalMs = tenths(result.durationMs);
  const digest = new RegExp(`${mark} done ([0-9a-f]{64})`).exec(said)?.[1];
  if (result.ending !== "exited" || digest === undefined || ready === null || done === null) {
    const last = result.stderr.trim().split("\n").slice(-3).join("\n");
    const problem = result.ending === "exited" ? last || "it gave no result" : `it was stopped (${result.ending})`;
    return { workMs: 0, totalMs, result: null, problem };
  }
  return { workMs: tenths(done - ready), totalMs, result: digest, problem: "" };
}

const LONGEST_LINE = 100_000;

const tenths = (value: number): number => Math.round(value * 10) / 10;
