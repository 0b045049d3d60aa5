import { readdirSync } from "node:fs";
import { readOr } from "./control-group.ts";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * In ascending order the descriptors that whoever started this process left open in it, and that every child would get as well: Node opens its
 * own so that they close, but keeps what it was given. A sandboxed command must not hold a stranger's file or socket.
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
