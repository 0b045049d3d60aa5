import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Where a system says nothing about when a process started. */
const UNTOLD = "untold";

/**
 * When a process started, as its system tells it: two processes with one number differ in it. Undefined if there is no
 * such process, or only a zombie.
 */
export function processStart(pid: number): string | undefined {
  return existsSync("/proc/self/stat") ? toldByKernel(pid) : toldByPs(pid);
}

/** Field 22 of /proc/PID/stat, in clock ticks since boot. */
function toldByKernel(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** macOS has no /proc. What `ps` does not know either is not known: the process counts as the one that is meant. */
function toldByPs(pid: number): string | undefined {
  if (!isThere(pid)) return undefined;
  try {
    const options = {
      encoding: "utf8",
      stdio: "pipe",
      env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" },
    } as const;
    const [state = "", ...started] = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], options)
      .trim()
      .split(/\s+/);
    if (state.startsWith("Z")) return undefined;
    return started.join(" ") || UNTOLD;
  } catch {
    return UNTOLD;
  }
}

/** A process of another user's is there, too, although we may not signal it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
