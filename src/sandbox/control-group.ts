import { openSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { waitUntil } from "./wait-until.ts";

/** One kernel directory of a command's group: on v1 one for each controller, on v2 one for all. */
export interface GroupDirectory {
  path: string;
  version: 1 | 2;
  controllers: Controller[];
}

export type Controller = "memory" | "pids" | "cpu";

/**
 * bwrap outside, and bwrap as the first process of the namespace. The kernel counts them, but they are not the
 * command's.
 */
const OWN_PROCESSES = 2;

/** The limits of one command and of everything it has started. */
export class ControlGroup {
  readonly #directories: GroupDirectory[];

  constructor(directories: GroupDirectory[]) {
    this.#directories = directories;
  }

  /**
   * A process that writes `0` to each of these joins. They are opened here, because the kernel checks the rights of
   * the opener: a process that has already dropped its own may still join.
   */
  openJoins(): number[] {
    return this.#directories.map(({ path }) => openSync(`${path}/cgroup.procs`, "w"));
  }

  limit(limits: SandboxLimits): void {
    for (const directory of this.#directories) {
      for (const controller of directory.controllers) writeLimit(directory, controller, limits);
    }
  }

  /**
   * Which limit the kernel enforced, if any. Memory comes first, because a process without memory also fails to fork.
   */
  limitHit(): "memory-limit" | "process-limit" | null {
    const oomKills = this.#counter("memory.events", "oom_kill") || this.#counter("memory.oom_control", "oom_kill");
    if (oomKills > 0) return "memory-limit";
    return this.#counter("pids.events", "max") > 0 ? "process-limit" : null;
  }

  /** Ends every process inside and removes the group. Throws if something survives. */
  async remove(): Promise<void> {
    const removed = await waitUntil(() => {
      if (this.#removed()) return true;
      this.#killAll();
      return false;
    }, 10_000);
    if (!removed) throw new Error("processes of a sandboxed command did not end when killed");
  }

  #removed(): boolean {
    return this.#directories.map(({ path }) => removeDirectory(path)).every((removed) => removed);
  }

  #killAll(): void {
    for (const { path, version } of this.#directories) {
      if (version === 2 && attempt(() => writeFileSync(`${path}/cgroup.kill`, "1"))) continue;
      for (const pid of readOr(`${path}/cgroup.procs`, "").split("\n").map(Number)) {
        // 0 stands for a process of another pid namespace. For kill(2) it would mean our own group.
        if (pid > 0) attempt(() => process.kill(pid, "SIGKILL"));
      }
    }
  }

  #counter(file: string, name: string): number {
    for (const { path } of this.#directories) {
      const line = readOr(`${path}/${file}`, "")
        .split("\n")
        .find((text) => text.startsWith(`${name} `));
      if (line !== undefined) return Number(line.slice(name.length + 1));
    }
    return 0;
  }
}

function writeLimit({ path, version }: GroupDirectory, controller: Controller, limits: SandboxLimits): void {
  const write = (file: string, value: number | string) => writeFileSync(`${path}/${file}`, String(value));
  const period = 100_000;
  const quota = Math.max(1_000, Math.round(limits.cpus * period));
  const bytes = limits.memoryMb * 1024 * 1024;
  if (controller === "pids") write("pids.max", limits.pids + OWN_PROCESSES);
  else if (controller === "memory") {
    write(version === 2 ? "memory.max" : "memory.limit_in_bytes", bytes);
    // Absent if the kernel does not account for swap.
    attempt(() => (version === 2 ? write("memory.swap.max", 0) : write("memory.memsw.limit_in_bytes", bytes)));
  } else if (version === 2) write("cpu.max", `${quota} ${period}`);
  else write("cpu.cfs_quota_us", quota);
}

/** True if it is gone afterwards; false while something still runs in it. */
export function removeDirectory(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}

export function attempt(effect: () => void): boolean {
  try {
    effect();
    return true;
  } catch {
    return false;
  }
}

export function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return fallback;
  }
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
