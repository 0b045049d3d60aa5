import { z } from "zod";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import { clip } from "./clip.ts";
import { defineTool } from "./tool.ts";

export const runCommand = defineTool({
  name: "run_command",
  description: "Run a bash command in the project's root, without network.",
  arguments: z.lazy(() => z.object({ command: z.string().min(1), timeoutSeconds: z.int().positive().optional() })),
  writes: true,
  subject: ({ command }) => command,
  async run({ command, timeoutSeconds }, { runCommand }) {
    return describeResult(await runCommand(command, timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000));
  },
});

const OUTPUT_CHARACTERS = 8000;

/** What a model needs to know of a command: its output, and its ending if that was not a success. */
export function describeResult(result: CommandResult): string {
  const parts = [result.stdout, result.stderr]
    .map((text) => clip(text.trimEnd(), OUTPUT_CHARACTERS))
    .filter((text) => text !== "");
  if (result.ending !== "exited") parts.push(`stopped: ${result.ending}`);
  else if (result.exitCode !== 0) parts.push(`exit code ${result.exitCode ?? result.signal}`);
  return parts.length > 0 ? parts.join("\n") : "no output, exit code 0";
}
