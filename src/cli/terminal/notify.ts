import { spawn } from "node:child_process";
import type { Terminal } from "./terminal.ts";

const TIMEOUT_MS = 30_000;

/** Runs the person's own command at the end of a task. If it fails, that is only a warning. */
export async function notify(terminal: Terminal, command: string, facts: Record<string, string>): Promise<void> {
  const problem = await new Promise<string | undefined>((resolve) => {
    const child = spawn("sh", ["-c", command], {
      env: { ...terminal.env, ...facts },
      stdio: ["ignore", "ignore", "ignore"],
      timeout: TIMEOUT_MS,
    });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`);
    });
  });
  if (problem !== undefined) terminal.error.write(`warning: the notify command failed: ${problem}\n`);
}
