import { execFile } from "node:child_process";
import { chownSync, closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeScratch } from "../../workspace/scratch-directory.ts";
import { readOr } from "../control-group.ts";
import { droppedIdentity } from "../identity.ts";
import type { Mount } from "../sandbox.ts";

const INSIDE = "/run/miracle/end";

/**
 * Two pipes between us and the shell in front of a command. When the command has ended, the shell says so and waits.
 * While it waits, the container's control group exists, and can tell whether a limit was hit. A command that uses these
 * pipes itself only changes the report of its own end.
 */
export class LastWord implements Disposable {
  readonly mount: Mount;
  /** Settles when the command ends by itself, and never otherwise. */
  readonly ended: Promise<void>;
  readonly #directory: string;
  readonly #over: Socket;
  readonly #go: number;

  private constructor(directory: string) {
    this.#directory = directory;
    this.mount = { from: directory, to: INSIDE };
    // Opened for reading and writing, so that neither side waits for the other to open, and no early end of file is
    // seen.
    const flags = constants.O_RDWR | constants.O_NONBLOCK;
    this.#go = openSync(join(directory, "go"), flags);
    this.#over = new Socket({ fd: openSync(join(directory, "over"), flags), readable: true, writable: false });
    this.#over.on("error", () => {});
    this.ended = new Promise((resolve) => this.#over.once("data", () => resolve()));
  }

  /** Null if the engine runs on another machine, which pipes do not reach. */
  static async open(): Promise<LastWord | null> {
    if (process.platform !== "linux") return null;
    const directory = makeScratch("end");
    try {
      const pipes = [join(directory, "over"), join(directory, "go")];
      await promisify(execFile)("mkfifo", ["-m", "600", ...pipes]);
      const identity = droppedIdentity();
      if (identity) for (const path of [...pipes, directory]) chownSync(path, identity.uid, identity.gid);
      return new LastWord(directory);
    } catch {
      rmSync(directory, { recursive: true, force: true });
      return null;
    }
  }

  /** Lets the shell end. */
  release(): void {
    writeSync(this.#go, "\n");
  }

  [Symbol.dispose](): void {
    this.#over.destroy();
    closeSync(this.#go);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/**
 * What the shell in front does after the command, whose exit code is in `$s`. Only builtins, because it may be unable
 * to start a process.
 */
export const SAY_LAST_WORD = `if [ -p ${INSIDE}/go ]; then echo > ${INSIDE}/over; read s2 < ${INSIDE}/go; fi`;

/**
 * Which limit the control group of this process enforced; null if it cannot be seen. Memory comes first, as elsewhere.
 */
export function limitHitBy(pid: number): "memory-limit" | "process-limit" | null {
  const groups = readOr(`/proc/${pid}/cgroup`, "");
  const isAbove = (controller: string, file: string, name: string) =>
    new RegExp(`^${name} [1-9]`, "m").test(readOr(`${directoryOf(groups, controller)}/${file}`, ""));
  if (isAbove("memory", "memory.events", "oom_kill") || isAbove("memory", "memory.oom_control", "oom_kill"))
    return "memory-limit";
  return isAbove("pids", "pids.events", "max") ? "process-limit" : null;
}

/** Version 1 has a tree for each controller, version 2 one for all of them. */
function directoryOf(groups: string, controller: string): string {
  const own = new RegExp(`^\\d+:(?:[^:\\n]*,)?${controller}(?:,[^:\\n]*)?:(.*)$`, "m").exec(groups)?.[1];
  const unified = /^0::(.*)$/m.exec(groups)?.[1] ?? "";
  return own === undefined ? `/sys/fs/cgroup${unified}` : `/sys/fs/cgroup/${controller}${own}`;
}
