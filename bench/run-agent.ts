import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";
import { watchMemory } from "./process-tree.ts";

const floorAgent = fileURLToPath(new URL("floor-agent.mjs", import.meta.url));
const miracle = fileURLToPath(new URL("../bin/miracle.js", import.meta.url));

export interface Run {
  startedAt: number;
  wallMs: number;
  /** Processor time of it and of all that it waited for, as exact as the system counts: 10 ms. */
  cpuMs: number;
  /** Bytes; 0 unless it was asked for. */
  peakMemory: number;
}

export interface RunOptions {
  cwd?: string;
  /** Where Miracle keeps its data, if not where all rows do. */
  data?: string | undefined;
  memory?: boolean;
}

/** A command of Node's, from its start to its end. Throws when it does not end well: then nothing of it can be compared. */
export async function runNode(args: string[], place: Place, options: RunOptions = {}): Promise<Run> {
  const cpuBefore = cpuOfChildren();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? place.root,
    env: { ...place.env, ...(options.data !== undefined && { MIRACLE_HOME: options.data }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const memory = options.memory && child.pid !== undefined ? watchMemory(child.pid) : undefined;
  try {
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    const wallMs = performance.now() - startedAt;
    if (code === 0) return { startedAt, wallMs, cpuMs: cpuOfChildren() - cpuBefore, peakMemory: memory?.peak() ?? 0 };
    throw new Error(`\`node ${args.join(" ")}\` ended with ${code}:\n${output.slice(-4000)}`);
  } finally {
    memory?.stop();
  }
}

/** Of children that have ended; fields 14 and 15 behind the name of the program. */
function cpuOfChildren(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

export const floorArguments = (baseUrl: string, goal: string): string[] => [floorAgent, baseUrl, goal];

export const miracleArguments = (baseUrl: string, goal: string, flags: string[]): string[] => [
  miracle,
  ...["run", "--base-url", baseUrl, "--model", "local/scripted", ...flags, goal],
];

export const versionArguments = [miracle, "--version"];
