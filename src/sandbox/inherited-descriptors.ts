import { readdirSync } from "node:fs";
import { readOr } from "./control-group.ts";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors that the parent of this process left open, in ascending order. Every child would inherit them: Node
 * closes its own descriptors for children, but not those it was given. A sandboxed command must not hold a stranger's
 * file or socket.
 */
export function inheritedDescriptors(): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && survivesExec(descriptor))
    .sort((a, b) => a - b);
}

function survivesExec(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readOr(`/proc/self/fdinfo/${descriptor}`, ""))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}
