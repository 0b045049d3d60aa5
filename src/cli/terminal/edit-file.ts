import { spawn } from "node:child_process";
import { fail } from "../../domain/failure.ts";
import type { Terminal } from "./terminal.ts";

/** Opens a file in the person's own editor and comes back when it is closed. */
export async function editFile({ env }: Terminal, path: string): Promise<void> {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const code = await new Promise<number | null>((resolve) => {
    // As git starts it: the setting may have flags of its own.
    const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit", env });
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
  if (code === 0) return;
  throw fail("environment", "cli.editor", `the editor \`${editor}\` did not end well: set EDITOR to the one you use`);
}
