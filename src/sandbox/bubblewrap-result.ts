import type { ControlGroup } from "./control-group.ts";
import type { CommandResult, Ending } from "./sandbox.ts";
import { readExit, type Supervised } from "./supervise.ts";

export interface Status {
  /** The first process of the command's namespace, by its number on the host. */
  firstProcess: number | undefined;
  /** Absent if the command was not started, or bwrap itself was killed. */
  exitCode: number | undefined;
}

/**
 * bwrap writes the first line before the command starts, and the exit code only if it did start. The command may forge
 * later lines, but it chooses its exit code anyway.
 */
export function readStatus(status: string): Status {
  const process = /^\n?\{ "child-pid": (\d+)/.exec(status)?.[1];
  const exit = /"exit-code": (\d+)/.exec(status)?.[1];
  return {
    firstProcess: process === undefined ? undefined : Number(process),
    exitCode: exit === undefined ? undefined : Number(exit),
  };
}

/** The result of the command; null if it was never started because the sandbox itself failed. */
export function readResult(supervised: Supervised, group: ControlGroup, status: Status): CommandResult | null {
  const ending = endingOf(supervised, group, status.exitCode);
  const exitCode = status.exitCode ?? notExecutable(supervised.stderr.text());
  if (ending === "exited" && supervised.stoppedBy === null && exitCode === undefined) return null;
  const exit = exitCode === undefined ? supervised : readExit(exitCode, null);
  return {
    ending,
    exitCode: exit.exitCode,
    signal: exit.signal,
    stdout: supervised.stdout.text(),
    stderr: supervised.stderr.text(),
    truncated: supervised.stdout.truncated || supervised.stderr.truncated,
    durationMs: supervised.durationMs,
  };
}

function endingOf(supervised: Supervised, group: ControlGroup, exitCode: number | undefined): Ending {
  if (supervised.stoppedBy === "timeout") return "timeout";
  if (supervised.stoppedBy === "disk") return "disk-limit";
  const hit = group.limitHit();
  if (hit !== null) return hit;
  return exitCode !== undefined && readExit(exitCode, null).signal === "SIGXFSZ" ? "disk-limit" : "exited";
}

/** The exit code a shell would give for a program that is missing or cannot be executed. */
function notExecutable(stderr: string): number | undefined {
  const reason = /^bwrap: execvp .*: (.*)$/m.exec(stderr)?.[1];
  if (reason === undefined) return undefined;
  return reason === "No such file or directory" ? 127 : 126;
}
