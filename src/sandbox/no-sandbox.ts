import { lstatSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { makeScratch } from "../workspace/scratch-directory.ts";
import { environment } from "./bubblewrap-arguments.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { type Command, type CommandResult, type Mount, type Sandbox, WORKSPACE } from "./sandbox.ts";
import { startProcess } from "./start-process.ts";
import { supervise } from "./supervise.ts";
import { checkWorkingDirectory } from "./working-directory.ts";

/** What is put around each command where the machine has no namespaces. */
export interface Confinement {
  backend: string;
  /** The words that start the command within its bounds. */
  wrap(argv: string[], places: { workspace: string; home: string; readable: string[] }): [string, ...string[]];
}

/**
 * No isolation at all, for a person who asked for it: commands run as this user, in the real directory. The environment
 * is still empty, output is limited, and time is limited. After a command only its process group is ended. Nothing can
 * be mounted, so paths of the sandbox are translated to the host's, and dependencies are linked in. A confinement gives
 * each command bounds, and a home of its own.
 */
export class NoSandbox implements Sandbox {
  readonly backend: string;
  readonly #confinement: Confinement | null;

  constructor(confinement: Confinement | null = null) {
    this.backend = confinement?.backend ?? "process";
    this.#confinement = confinement;
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    const directory = checkWorkingDirectory(command);
    const toHost = translation(command);
    const [program = "true", ...args] = command.argv.map(toHost);
    const confined = this.#confinement && { by: this.#confinement, home: realpathSync(makeScratch("home")) };
    const env = Object.entries(environment(command, confined?.home ?? "/tmp")).map(([name, value]) => [
      name,
      toHost(value),
    ]);
    const unlink = linkMounts(command);
    try {
      const argv: [string, ...string[]] = [program, ...args];
      const child = startProcess({
        argv: confined ? confined.by.wrap(argv, placesOf(command, confined.home)) : argv,
        cwd: directory,
        env: { ...Object.fromEntries(env), ...(confined && { TMPDIR: confined.home }) },
        identity: null,
        stdin: command.stdin !== undefined || command.stdinStream !== undefined,
        descriptors: [],
        covered: inheritedDescriptors(),
        detached: true,
      });
      const { timeoutMs, outputBytes } = limits;
      const supervision = {
        input: command.stdin ?? "",
        ...(command.stdinStream && { inputStream: command.stdinStream }),
        timeoutMs,
        outputBytes,
        ...(command.onOutput && { onOutput: command.onOutput }),
        kill: killGroup,
        afterExit: killGroup,
      };
      const supervised = await supervise(child, supervision, signal).catch((error) => notStarted(error, program));
      signal.throwIfAborted();
      if ("ending" in supervised) return supervised;
      return {
        ending: supervised.stoppedBy === "timeout" ? "timeout" : "exited",
        exitCode: supervised.exitCode,
        signal: supervised.signal,
        stdout: supervised.stdout.text(),
        stderr: supervised.stderr.text(),
        truncated: supervised.stdout.truncated || supervised.stderr.truncated,
        durationMs: supervised.durationMs,
      };
    } finally {
      unlink();
      if (confined) rmSync(confined.home, { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const placesOf = ({ workspace, mounts = [] }: Command, home: string) => ({
  workspace: realpathSync(workspace),
  home,
  readable: mounts.map(({ from }) => realpathSync(from)),
});

/** Rewrites every path that names the workspace or a mount as it is inside a sandbox. */
function translation(command: Command): (text: string) => string {
  const moved = (command.mounts ?? []).filter(({ from, to }) => from !== to && !isInWorkspace(to));
  const places: Mount[] = [...moved, { from: command.workspace, to: WORKSPACE }];
  const patterns = places.map(({ from, to }) => ({
    from,
    pattern: new RegExp(`(?<![\\w.~/-])${literally(to)}(?![\\w.-])`, "g"),
  }));
  return (text) => patterns.reduce((done, { from, pattern }) => done.replace(pattern, () => from), text);
}

/** Links dependency directories at the places of their mounts. The returned function removes the links. */
function linkMounts(command: Command): () => void {
  const links: string[] = [];
  for (const { from, to } of command.mounts ?? []) {
    const path = join(command.workspace, to.slice(WORKSPACE.length + 1));
    if (!isInWorkspace(to) || lstatSync(path, { throwIfNoEntry: false })) continue;
    symlinkSync(from, path);
    links.push(path);
  }
  return () => {
    for (const path of links) rmSync(path, { force: true });
  };
}

function notStarted(error: unknown, program: string): CommandResult {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "EACCES") throw error;
  const exitCode = code === "ENOENT" ? 127 : 126;
  const stderr = `${program}: ${code === "ENOENT" ? "command not found" : "permission denied"}\n`;
  return { ending: "exited", exitCode, signal: null, stdout: "", stderr, truncated: false, durationMs: 0 };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const isInWorkspace = (path: string) => path.startsWith(`${WORKSPACE}/`);
