import { spawn } from "node:child_process";

const TIMEOUT_MS = 30_000;

/** Runs a command of the person's own. Returns why it failed, or undefined. */
export function runNotifyCommand(
  command: string[],
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "ignore"], timeout: TIMEOUT_MS });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `code ${code}`}`);
    });
  });
}
