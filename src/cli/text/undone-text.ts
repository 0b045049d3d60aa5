import type { Event } from "../../domain/task/event.ts";
import { count } from "./amounts.ts";

/** `2 files put back, 1 file deleted in /work`: what the change had added is gone again. */
export function undoneText({ files, removed = [], branch, directory }: Event & { type: "change-undone" }): string {
  if (branch !== undefined) return `branch ${branch} taken back`;
  const back = files.length - removed.length;
  const said = [
    ...(back > 0 || removed.length === 0 ? [`${count(back, "file")} put back`] : []),
    ...(removed.length > 0 ? [`${count(removed.length, "file")} deleted`] : []),
  ];
  return `${said.join(", ")} in ${directory}`;
}
