import { createInterface } from "node:readline";
import { TerminalFailure } from "../../src/domain/failure.ts";
import type { SandboxLimits } from "../../src/domain/settings/settings.ts";
import { openBubblewrap } from "../../src/sandbox/open-sandbox.ts";
import type { Command, CommandResult } from "../../src/sandbox/sandbox.ts";

export type Request =
  | { id: number; type: "run"; command: Command; limits: SandboxLimits }
  | { id: number; type: "abort" };

export type Answer =
  | { id: number; type: "result"; result: CommandResult }
  | { id: number; type: "failed"; code: string; message: string };

/** Started as another user by the conformance suite: runs each request in a sandbox of its own process. */
const sandbox = openBubblewrap();
const aborts = new Map<number, AbortController>();

for await (const line of createInterface(process.stdin)) {
  const request: Request = JSON.parse(line);
  if (request.type === "abort") aborts.get(request.id)?.abort();
  else void serve(request.id, request.command, request.limits);
}

async function serve(id: number, command: Command, limits: SandboxLimits): Promise<void> {
  const abort = new AbortController();
  aborts.set(id, abort);
  try {
    answer({ id, type: "result", result: await sandbox.run(command, limits, abort.signal) });
  } catch (error) {
    const code = error instanceof TerminalFailure ? error.failure.code : "test.unexpected";
    answer({ id, type: "failed", code, message: error instanceof Error ? error.message : String(error) });
  }
}

function answer(value: Answer): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
