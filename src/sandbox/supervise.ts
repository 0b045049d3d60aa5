import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { BoundedOutput } from "./bounded-output.ts";
import { explainStart } from "./explain.ts";

export interface Supervision {
  /** Written to standard input, which is then closed. */
  input: string;
  /** Follows `input`. */
  inputStream?: NodeJS.ReadableStream;
  timeoutMs: number;
  outputBytes: number;
  onOutput?(stream: "stdout" | "stderr", chunk: Buffer): void;
  /** Further pipes to read, beside those that the process was started with. */
  output?: Output | null;
  /** Called from time to time with the text from descriptor 3 so far. True ends the process. */
  overDisk?: { everyMs: number; check(extra: string): boolean };
  /** Ends the process and everything below it. */
  kill(pid: number, extra: string): void;
  /** Called once when the process has ended by itself or by `kill`. */
  afterExit?(pid: number): void;
}

export interface Supervised {
  exitCode: number | null;
  signal: string | null;
  stoppedBy: "timeout" | "abort" | "disk" | null;
  stdout: BoundedOutput;
  stderr: BoundedOutput;
  /** The text from descriptor 3, if that is a pipe. */
  extra: string;
  durationMs: number;
}

/** How long a stream may stay open after the process has ended. An escaped process could hold it for ever. */
const LINGER_MS = 1_000;
const LONGEST_TIMER_MS = 2_147_483_647;
const EXTRA_BYTES = 16_384;

/** Pipes that a process prints to, if they are not the ones it was started with. */
export interface Output {
  stdout: Readable;
  stderr: Readable;
}

/** Follows a process to its end, or ends it. Always settles, even if somebody keeps the pipes open. */
export async function supervise(
  child: ChildProcess,
  supervision: Supervision,
  signal: AbortSignal,
): Promise<Supervised> {
  const started = performance.now();
  const { output, outputBytes, onOutput } = supervision;
  const stdout = collect([child.stdout, output?.stdout], outputBytes, (chunk) => onOutput?.("stdout", chunk));
  const stderr = collect([child.stderr, output?.stderr], outputBytes, (chunk) => onOutput?.("stderr", chunk));
  const extra = collect([extraStream(child)], EXTRA_BYTES);
  child.stdin?.on("error", () => {}); // the command need not read what it is given
  const stopInput = feed(child.stdin, supervision);

  let stoppedBy: Supervised["stoppedBy"] = null;
  const stop = (reason: "timeout" | "abort" | "disk") => {
    // After its end, its id may belong to another process.
    if (child.pid === undefined || hasEnded(child)) return;
    stoppedBy ??= reason;
    supervision.kill(child.pid, extra.text());
  };
  const onAbort = () => stop("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop("timeout"), Math.min(supervision.timeoutMs, LONGEST_TIMER_MS));
  const { overDisk } = supervision;
  const watch = overDisk && setInterval(() => overDisk.check(extra.text()) && stop("disk"), overDisk.everyMs);
  try {
    const pipes = output ? [output.stdout, output.stderr] : [];
    const ended = await settled(child, pipes, (pid) => supervision.afterExit?.(pid));
    return { ...ended, stoppedBy, stdout, stderr, extra: extra.text(), durationMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    stopInput();
    signal.removeEventListener("abort", onAbort);
  }
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Resolves when the process has ended and its streams are read to the end, or stayed open too long. */
async function settled(
  child: ChildProcess,
  pipes: Readable[],
  afterExit: (pid: number) => void,
): Promise<{ exitCode: number | null; signal: string | null }> {
  let linger: NodeJS.Timeout | undefined;
  const closed = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once("error", (error) => reject(explainStart(error)));
    child.once("close", (code: number | null, signal: NodeJS.Signals | null) => resolve(readExit(code, signal)));
    const onExit = () => {
      if (child.pid !== undefined) afterExit(child.pid);
      linger = setTimeout(() => {
        for (const stream of [...child.stdio, ...pipes]) stream?.destroy();
      }, LINGER_MS);
    };
    if (!hasEnded(child)) child.once("exit", onExit);
    else {
      // It ended before we listened, so no event will come.
      onExit();
      if (child.stdio.every((stream) => stream?.closed ?? true)) resolve(readExit(child.exitCode, child.signalCode));
    }
  });
  try {
    const [ended] = await Promise.all([closed, ...pipes.map(closing)]);
    return ended;
  } finally {
    clearTimeout(linger);
  }
}

function closing(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once("close", () => resolve());
  });
}

/**
 * A program between us and the command (bwrap, a shell) reports a death by signal as 128 + its number. Both forms
 * become the signal, so that backends agree.
 */
export function readExit(
  code: number | null,
  signal: string | null,
): { exitCode: number | null; signal: string | null } {
  if (signal !== null || code === null || code <= 128) return { exitCode: code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { exitCode: code, signal: null } : { exitCode: null, signal: name };
}

/** The returned function releases a source that outlives the command, for example a terminal. */
export function feed(
  stdin: Writable | null,
  { input, inputStream }: Pick<Supervision, "input" | "inputStream">,
): () => void {
  if (stdin === null || inputStream === undefined) {
    stdin?.end(input);
    return () => {};
  }
  stdin.write(input);
  inputStream.pipe(stdin);
  return () => void inputStream.unpipe(stdin).pause();
}

function collect(
  streams: (Readable | null | undefined)[],
  capacity: number,
  onChunk: (chunk: Buffer) => void = () => {},
): BoundedOutput {
  const output = new BoundedOutput(capacity);
  for (const stream of streams) {
    stream?.on("data", (chunk: Buffer) => {
      output.push(chunk);
      onChunk(chunk);
    });
    stream?.on("error", () => {}); // a reset at the end of a killed process; its exit is what counts
  }
  return output;
}

function extraStream(child: ChildProcess): Readable | null {
  const stream = child.stdio[3];
  return stream && "read" in stream ? stream : null;
}
