import { randomBytes } from "node:crypto";

/** Makes an id that sorts by time, fits into a path and a git ref, and is unique without coordination. */
export function newTaskId(): string {
  const time = Date.now().toString(36).padStart(9, "0");
  return `t${time}${randomBytes(4).readUInt32BE().toString(36).padStart(7, "0").slice(-4)}`;
}
