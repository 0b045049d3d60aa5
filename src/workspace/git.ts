import { spawn } from "node:child_process";
import { fail } from "../domain/failure.ts";
import type { Owner } from "./checkout.ts";

const MOST_OUTPUT = 256 << 20;

/** The default places of git. */
export const STANDARD_PATH = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";

export interface GitRun {
  gitDirectory: string;
  /** Needed only for commands that touch files. Git itself must never search for them. */
  workTree?: string;
  indexFile?: string;
  path: string;
  /** More of the environment: what a remote asks for. */
  env?: Record<string, string>;
  /** Exit codes other than 0 that are an answer and no failure. */
  answers?: (exitCode: number) => boolean;
  stdin?: string | Uint8Array;
  /** The user that the process runs as, if it is not ours. */
  owner?: Owner;
}

/**
 * Runs the host's git on our own repository. The environment holds only what is set here: no system or user
 * configuration and no attributes, so that nobody's filter, hook, pager or helper can run.
 */
export async function git(args: string[], run: GitRun): Promise<{ exitCode: number; stdout: Buffer }> {
  const env: Record<string, string> = {
    PATH: run.path,
    LC_ALL: "C",
    GIT_DIR: run.gitDirectory,
    GIT_WORK_TREE: run.workTree ?? run.gitDirectory,
    GIT_INDEX_FILE: run.indexFile ?? `${run.gitDirectory}/no-index`,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    ...run.env,
  };
  const guarded = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotePath=false",
    ...args,
  ];
  const child = spawn("git", guarded, {
    cwd: run.gitDirectory,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    ...run.owner,
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_OUTPUT) child.kill("SIGKILL");
    else stdout.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => void (stderr.length < 64 && stderr.push(chunk)));
  child.stdin.on("error", () => {});
  child.stdin.end(run.stdin ?? "");
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", (cause) => {
      reject(fail("environment", "git.missing", "git cannot be started: install it (apt-get install git)", { cause }));
    });
    child.on("close", resolve);
  });
  const accepted = exitCode !== null && (exitCode === 0 || run.answers?.(exitCode) === true);
  if (accepted) return { exitCode, stdout: Buffer.concat(stdout) };
  const detail = Buffer.concat(stderr).toString("utf8").trim();
  throw fail(
    "environment",
    "git.failed",
    `git ${args.find((word, at) => !word.startsWith("-") && args[at - 1] !== "-c") ?? ""} failed in ${run.gitDirectory}: ${detail.split("\n")[0]}`,
    {
      detail,
    },
  );
}
