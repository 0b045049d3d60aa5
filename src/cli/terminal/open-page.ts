import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Terminal } from "./terminal.ts";

/**
 * Opens a link in the person's browser, if there is one. All users of a machine can read what programs are started with:
 * so the browser is given a file that only this one can read, and the file has the link.
 */
export function openPage({ env }: Terminal, directory: string, link: string): void {
  const program = openerFor(env);
  if (program === null) return;
  const file = join(directory, "dashboard.html");
  rmSync(file, { force: true });
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`, { mode: 0o600 });
  const child = spawn(program, [pathToFileURL(file).href], { env, stdio: "ignore", detached: true });
  // The link is printed, too.
  child.on("error", () => {});
  child.unref();
}

/** Null: nothing here can show a page. */
function openerFor(env: Terminal["env"]): string | null {
  if (env.BROWSER) return env.BROWSER;
  if (process.platform === "darwin") return "open";
  if (env.WSL_DISTRO_NAME) return "wslview";
  return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : null;
}
