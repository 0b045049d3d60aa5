import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";
import { watchMemory } from "./process-tree.ts";

const floorAgent = fileURLToPath(new URL("floor-agent.mjs", import.meta.url));
const miracle = fileURLToPath(new URL("../bin/miracle.js", import.meta.url));

export interface Run {
  startedAt: number;
  wallMs: number;
  /** Bytes; 0 unless it was asked for. */
  peakMemory: number;
}

/** A command of Node's, from its start to its end. Throws when it does not end well: then nothing of it can be compared. */
export async function runNode(args: string[], place: Place, options: { cwd?: string; memory?: boolean } = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? place.root,
    env: place.env,
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
    if (code === 0) return { startedAt, wallMs, peakMemory: memory?.peak() ?? 0 };
    throw new Error(`\`node ${args.join(" ")}\` ended with ${code}:\n${output.slice(-4000)}`);
  } finally {
    memory?.stop();
  }
}

export const floorArguments = (baseUrl: string, goal: string): string[] => [floorAgent, baseUrl, goal];

export const miracleArguments = (baseUrl: string, goal: string, flags: string[]): string[] => [
  miracle,
  ...["run", "--base-url", baseUrl, "--model", "local/scripted", ...flags, goal],
];

export const versionArguments = [miracle, "--version"];
