import { randomBytes } from "node:crypto";

/** Sorts by time, fits a path and a git ref, and is unique without asking anybody. */
export function newTaskId(): string {
  const time = Date.now().toString(36).padStart(9, "0");
  return `t${time}${randomBytes(4).readUInt32BE().toString(36).padStart(7, "0").slice(-4)}`;
}
