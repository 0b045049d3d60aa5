import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Identity } from "./identity.ts";

export interface ProcessStart {
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  identity: Identity | null;
  /** False: standard input is empty. */
  stdin: boolean;
  /** Becomes file descriptors 3, 4, …: numbers are handed on, `pipe` is a pipe to us. */
  descriptors: ("pipe" | "ignore" | number)[];
  /**
   * Descriptors of this process that the child must not inherit, in ascending order. The child gets `/dev/null` there.
   */
  covered: number[];
  /** True: the process leads its own process group. */
  detached: boolean;
}

/** Starts a process that inherits only what is named. */
export function startProcess(start: ProcessStart): ChildProcess {
  const [program, ...args] = start.argv;
  const { cwd, env, detached, covered } = start;
  const stdio: ("pipe" | "ignore" | number)[] = [start.stdin ? "pipe" : "ignore", "pipe", "pipe", ...start.descriptors];
  const nothing = covered.length > 0 ? openSync("/dev/null", "r") : -1;
  try {
    for (const descriptor of covered) {
      while (stdio.length < descriptor) stdio.push("ignore");
      if (stdio.length === descriptor) stdio.push(nothing);
    }
    return spawn(program, args, { cwd, env, detached, stdio, ...start.identity });
  } finally {
    if (nothing !== -1) closeSync(nothing);
  }
}
