import { existsSync, readdirSync } from "node:fs";
import { readOr } from "./control-group.ts";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors that the parent of this process left open, in ascending order. Every child would inherit them: Node
 * closes its own descriptors for children, but not those it was given. A sandboxed command must not hold a stranger's
 * file or socket.
 */
export function inheritedDescriptors(): number[] {
  const isTold = existsSync("/proc/self/fd");
  return open(isTold ? "/proc/self/fd" : "/dev/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && (!isTold || survivesExec(descriptor)))
    .sort((a, b) => a - b);
}

/** macOS has no /proc, and says nothing of which ones survive: all are covered. A system with neither tells nothing. */
function open(place: string): string[] {
  try {
    return readdirSync(place).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function survivesExec(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readOr(`/proc/self/fdinfo/${descriptor}`, ""))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}
