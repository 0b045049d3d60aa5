import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { BoundedOutput } from "./bounded-output.ts";

export interface Launch {
  argv: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  identity: { uid: number; gid: number } | null;
  /** Becomes file descriptors 3, 4, …: numbers are handed on; `pipe`, which may come first, is collected as `extra`. */
  descriptors: ("pipe" | number)[];
  /** Descriptors of this process that the child must not get: it finds `/dev/null` there. */
  covered: number[];
  /** True: the process leads a group of its own. */
  detached: boolean;
  stdin: string | undefined;
  timeoutMs: number;
  outputBytes: number;
  /** Looked at from time to time; true ends the process. */
  overDisk?: { everyMs: number; check(): boolean };
  /** Ends the process and everything below it. */
  kill(pid: number): void;
  /** Called once when the process has ended by itself or by `kill`. */
  afterExit?(pid: number): void;
}

export interface Supervised {
  exitCode: number | null;
  signal: string | null;
  stoppedBy: "timeout" | "abort" | "disk" | null;
  stdout: BoundedOutput;
  stderr: BoundedOutput;
  /** What came through the first `pipe` of the descriptors. */
  extra: string;
  durationMs: number;
}

/** How long a stream may stay open after the process has ended: something that escaped may hold it for ever. */
const LINGER_MS = 1_000;
const LONGEST_TIMER_MS = 2_147_483_647;
const EXTRA_BYTES = 16_384;

/** Starts a process and follows it to its end, or ends it. Always settles, whoever keeps the pipes open. */
export async function supervise(launch: Launch, signal: AbortSignal): Promise<Supervised> {
  signal.throwIfAborted();
  const started = performance.now();
  const [program, ...args] = launch.argv;
  const { cwd, env, detached } = launch;
  const nothing = launch.covered.length > 0 ? openSync("/dev/null", "r") : undefined;
  const stdio = descriptorTable(launch, nothing);
  const child = spawn(program, args, { cwd, env, detached, stdio, ...launch.identity });
  if (nothing !== undefined) closeSync(nothing);
  const stdout = collect(child.stdout, launch.outputBytes);
  const stderr = collect(child.stderr, launch.outputBytes);
  const extra = collect(extraStream(child), EXTRA_BYTES);
  feed(child, launch.stdin);

  let stoppedBy: Supervised["stoppedBy"] = null;
  const stop = (reason: "timeout" | "abort" | "disk") => {
    // Once it has ended, its id may be another process's.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    stoppedBy ??= reason;
    launch.kill(child.pid);
  };
  const onAbort = () => stop("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop("timeout"), Math.min(launch.timeoutMs, LONGEST_TIMER_MS));
  const { overDisk } = launch;
  const watch = overDisk && setInterval(() => overDisk.check() && stop("disk"), overDisk.everyMs);
  try {
    const ended = await settled(child, (pid) => launch.afterExit?.(pid));
    return { ...ended, stoppedBy, stdout, stderr, extra: extra.text(), durationMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
  }
}

function descriptorTable(launch: Launch, nothing: number | undefined): StdioOptions {
  const stdio: ("pipe" | "ignore" | number)[] = [launch.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"];
  stdio.push(...launch.descriptors);
  for (const descriptor of launch.covered) {
    while (stdio.length < descriptor) stdio.push("ignore");
    if (descriptor === stdio.length && nothing !== undefined) stdio.push(nothing);
  }
  return stdio;
}

/** Resolves when the process has ended and its streams are read to their ends, or have lingered too long. */
function settled(
  child: ChildProcess,
  afterExit: (pid: number) => void,
): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    let linger: NodeJS.Timeout | undefined;
    child.once("error", reject);
    child.once("exit", () => {
      if (child.pid !== undefined) afterExit(child.pid);
      linger = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
      }, LINGER_MS);
    });
    child.once("close", (code: number | null, signal: NodeJS.Signals | null) => {
      clearTimeout(linger);
      resolve(readExit(code, signal));
    });
  });
}

/**
 * Whatever stands between us and the command (bwrap, a shell) reports a death by signal as 128 + its number:
 * both forms become the signal, so that backends agree.
 */
export function readExit(
  code: number | null,
  signal: string | null,
): { exitCode: number | null; signal: string | null } {
  if (signal !== null || code === null || code <= 128) return { exitCode: code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal: name };
}

function collect(stream: Readable | null, capacity: number): BoundedOutput {
  const output = new BoundedOutput(capacity);
  stream?.on("data", (chunk: Buffer) => output.push(chunk));
  stream?.on("error", () => {}); // a reset at the end of a killed process; its exit is what counts
  return output;
}

function extraStream(child: ChildProcess): Readable | null {
  const stream = child.stdio[3];
  return stream && "read" in stream ? stream : null;
}

function feed(child: ChildProcess, text: string | undefined): void {
  if (!child.stdin || text === undefined) return;
  child.stdin.on("error", () => {}); // the command need not read what it is given
  child.stdin.end(text);
}
