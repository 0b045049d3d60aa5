import { spawn } from "node:child_process";
import type { Terminal } from "./terminal.ts";

/** As `git` asks for it: ends at once what fits on a screen, lets colours through, leaves the screen as it is. */
const USUAL = "less -FRX";

/** A long text on a terminal, a screen at a time, by the person's own pager; elsewhere just the text. */
export async function page(terminal: Terminal, text: string): Promise<void> {
  const { output, env } = terminal;
  const pager = env.MIRACLE_PAGER ?? env.PAGER ?? USUAL;
  const isLong = text.split("\n").length >= (output.rows ?? Number.POSITIVE_INFINITY);
  if (output.isTTY !== true || !isLong || pager === "" || pager === "cat" || env.TERM === "dumb") {
    output.write(text);
    return;
  }
  const shown = await new Promise<boolean>((resolve) => {
    const child = spawn("sh", ["-c", pager], {
      stdio: ["pipe", "inherit", "inherit"],
      env: { ...env, LESSCHARSET: "utf-8" },
    });
    child.on("error", () => resolve(false));
    // 127: there is no such program.
    child.on("close", (code) => resolve(code !== 127));
    // Whoever leaves the pager early has read enough.
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
  if (!shown) output.write(text);
}
