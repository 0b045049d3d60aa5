import { closeSync } from "node:fs";
import type { SandboxLimits } from "../domain/settings.ts";
import { bubblewrapArguments, OPTIONAL_OPTIONS, systemMounts } from "./bubblewrap-arguments.ts";
import type { ControlGroup } from "./control-group.ts";
import { type ControlGroups, findControlGroups } from "./control-groups.ts";
import { explainBubblewrap, unavailable } from "./explain.ts";
import { droppedIdentity, type Identity } from "./identity.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { JOIN_FAILED, launcherScript, withProcessLimits } from "./launcher.ts";
import { MountPoints } from "./mount-points.ts";
import { namespaceEnd } from "./namespace-end.ts";
import { firstObstacle, mayWrite } from "./reachable.ts";
import type { Command, CommandResult, Ending, Sandbox } from "./sandbox.ts";
import { readExit, type Supervised, supervise } from "./supervise.ts";
import { checkWorkingDirectory } from "./working-directory.ts";

/**
 * Runs each command in namespaces of its own, through bubblewrap.
 *
 * 1. The host's environment, network, files (but the system and the mounts, read-only) and processes are out of reach.
 * 2. As root, all of it happens as an identity that owns nothing; bwrap itself runs as it.
 * 3. When `run` returns or throws, no process, control group or mount point of the command is left.
 * 4. Nothing is started before the first command: that one is the probe, and a machine that cannot sandbox makes it throw.
 */
export class Bubblewrap implements Sandbox {
  readonly backend = "bubblewrap";
  readonly #program: string;
  readonly #identity: Identity | null = droppedIdentity();
  readonly #mountPoints = new MountPoints();
  readonly #reached = new Set<string>();
  /** Options this bwrap turned out to lack. */
  readonly #lacking = new Set<string>();
  #inherited: number[] | undefined;
  #groups: ControlGroups | undefined;
  #system: string[] | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  get groups(): ControlGroups {
    this.#groups ??= findControlGroups();
    return this.#groups;
  }

  /** Why some protection is weaker here than it should be; known after the first command. */
  get losses(): string[] {
    return [...this.#lacking].map((option) => OPTIONAL_OPTIONS[option]?.loss ?? option);
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    this.#check(command);
    const release = this.#mountPoints.prepare(command.workspace, command.mounts ?? []);
    try {
      const result = await this.#runOnce(command, limits, signal);
      signal.throwIfAborted();
      return result;
    } finally {
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #runOnce(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    const group = this.groups.create(limits);
    try {
      const supervised = await this.#start(command, limits, group, signal);
      const { firstProcess, exitCode } = readStatus(supervised.extra);
      if (firstProcess !== undefined) await namespaceEnd(firstProcess);
      const ending = endingOf(supervised, group, exitCode);
      if (ending !== "exited" || exitCode !== undefined) return resultOf(supervised, ending, exitCode);
      if (supervised.stoppedBy === "abort") return resultOf(supervised, "exited", exitCode);
      const notStarted = commandNotStarted(supervised.stderr.text());
      if (notStarted !== undefined) return { ...resultOf(supervised, "exited", notStarted), signal: null };
      if (!this.#learnsLack(supervised)) throw brokenBy(supervised);
    } finally {
      await group.remove();
    }
    return await this.#runOnce(command, limits, signal);
  }

  async #start(command: Command, limits: SandboxLimits, group: ControlGroup, signal: AbortSignal): Promise<Supervised> {
    this.#system ??= systemMounts();
    this.#inherited ??= inheritedDescriptors();
    const missing = { memory: this.groups.holds("memory") === null, pids: this.groups.holds("pids") === null };
    const options = without(this.#lacking, bubblewrapArguments(command, limits, this.#system));
    const joins = group.openJoins();
    try {
      const script = launcherScript(limits, joins.length);
      const inner = withProcessLimits(command.argv, limits, missing);
      return await supervise(
        {
          argv: ["/bin/sh", "-c", script, "sh", this.#program, ...options, ...inner],
          cwd: "/",
          env: {},
          identity: this.#identity,
          descriptors: ["pipe", ...joins],
          covered: this.#inherited,
          detached: false,
          stdin: command.stdin,
          timeoutMs: limits.timeoutMs,
          outputBytes: limits.outputBytes,
          // bwrap's children die with it, and its first process takes the whole pid namespace along.
          kill: (pid) => process.kill(pid, "SIGKILL"),
        },
        signal,
      );
    } finally {
      for (const descriptor of joins) closeSync(descriptor);
    }
  }

  #check(command: Command): void {
    checkWorkingDirectory(command);
    if (this.#identity === null) return;
    const key = [command.workspace, ...(command.mounts ?? []).map(({ from }) => from)].join("\0");
    if (this.#reached.has(key)) return;
    for (const path of key.split("\0")) {
      const obstacle = firstObstacle(path, this.#identity);
      if (obstacle !== null) {
        throw unavailable(
          `the sandbox cannot reach ${path}: ${obstacle} is closed to the user id ${this.#identity.uid} that code runs as; keep it below directories of mode 755`,
        );
      }
    }
    if (!mayWrite(command.workspace, this.#identity)) {
      throw unavailable(
        `the workspace ${command.workspace} must belong to the user id ${this.#identity.uid}; chown it`,
      );
    }
    this.#reached.add(key);
  }

  /** True when bwrap refused an option that may be left out, which it then is from now on. */
  #learnsLack(supervised: Supervised): boolean {
    const option = /Unknown option (--\S+)/.exec(supervised.stderr.text())?.[1];
    if (option === undefined || !(option in OPTIONAL_OPTIONS) || this.#lacking.has(option)) return false;
    this.#lacking.add(option);
    return true;
  }
}

function without(lacking: Set<string>, options: string[]): string[] {
  const kept = [...options];
  for (const option of lacking) {
    const length = 1 + (OPTIONAL_OPTIONS[option]?.values ?? 0);
    for (let at = kept.indexOf(option); at !== -1; at = kept.indexOf(option)) kept.splice(at, length);
  }
  return kept;
}

/**
 * bwrap writes the first line before the command starts, and the exit code only if it did start.
 * Later lines may be forged by the command, which chooses its exit code anyway.
 */
function readStatus(status: string): { firstProcess: number | undefined; exitCode: number | undefined } {
  const process = /^\{ "child-pid": (\d+)/.exec(status)?.[1];
  const exit = /"exit-code": (\d+)/.exec(status)?.[1];
  return {
    firstProcess: process === undefined ? undefined : Number(process),
    exitCode: exit === undefined ? undefined : Number(exit),
  };
}

function endingOf(supervised: Supervised, group: ControlGroup, exitCode: number | undefined): Ending {
  if (supervised.stoppedBy === "timeout") return "timeout";
  const hit = group.limitHit();
  if (hit !== null) return hit;
  return exitCode !== undefined && readExit(exitCode, null).signal === "SIGXFSZ" ? "disk-limit" : "exited";
}

function resultOf(supervised: Supervised, ending: Ending, exitCode: number | undefined): CommandResult {
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

/** The exit code a shell would give for a program that is missing or cannot be executed. */
function commandNotStarted(stderr: string): number | undefined {
  const reason = /^bwrap: execvp .*: (.*)$/m.exec(stderr)?.[1];
  if (reason === undefined) return undefined;
  return reason === "No such file or directory" ? 127 : 126;
}

function brokenBy(supervised: Supervised): Error {
  if (supervised.exitCode === JOIN_FAILED) {
    return new Error(`a sandboxed command could not join its control group: ${supervised.stderr.text().trim()}`);
  }
  return explainBubblewrap(supervised.stderr.text());
}
