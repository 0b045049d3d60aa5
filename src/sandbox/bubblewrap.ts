import type { SandboxLimits } from "../domain/settings/settings.ts";
import {
  bubblewrapArguments,
  etcFiles,
  OPTIONAL_OPTIONS,
  OPTIONS_DESCRIPTOR,
  optionsFile,
  systemMounts,
} from "./bubblewrap-arguments.ts";
import { readResult, readStatus } from "./bubblewrap-result.ts";
import { attempt } from "./control-group.ts";
import { type ControlGroups, findControlGroups } from "./control-groups.ts";
import { DISK_WATCH_MS, watchDisk } from "./disk-watch.ts";
import { explainBubblewrap, unavailable } from "./explain.ts";
import { droppedIdentity, type Identity } from "./identity.ts";
import { JOIN_FAILED, type Order, orderScript, stagedPath, withProcessLimits } from "./launcher.ts";
import { MountPoints } from "./mount-points.ts";
import { endNamespace, namespaceEnd } from "./namespace-end.ts";
import { firstObstacle, mayWrite } from "./reachable.ts";
import type { Command, CommandResult, Mount, Sandbox } from "./sandbox.ts";
import type { StagedMount } from "./scratch-mounts.ts";
import { filterFile } from "./seccomp/filter-file.ts";
import { type Supervised, supervise } from "./supervise.ts";
import { WaitingShells } from "./waiting-shells.ts";
import { checkWorkingDirectory } from "./working-directory.ts";

/**
 * Runs each command in namespaces of its own, through bubblewrap.
 *
 * 1. The host's environment, network, files (but the system and the mounts, read-only) and processes are out of reach.
 * 2. As root, all of it happens as an identity that owns nothing; bwrap itself runs as it.
 * 3. When `run` returns or throws, no process and no mount point of the command is left; its control group follows, at the
 *    latest when the sandbox is disposed of.
 * 4. Nothing is started before the first command: that one is the probe, and a machine that cannot sandbox makes it throw.
 *    From then on a shell waits for the next one, until the sandbox is disposed of or this process ends.
 */
export class Bubblewrap implements Sandbox {
  readonly backend = "bubblewrap";
  readonly #program: string;
  readonly #identity: Identity | null = droppedIdentity();
  readonly #mountPoints = new MountPoints();
  /** For each examined path: what blocks the way to it, or null. */
  readonly #obstacles = new Map<string, string | null>();
  /** Options that this version of bwrap lacks. */
  readonly #lacking = new Set<string>();
  #shells: WaitingShells | undefined;
  #groups: ControlGroups | undefined;
  #system: string[] | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  get groups(): ControlGroups {
    this.#groups ??= findControlGroups();
    return this.#groups;
  }

  /** Why some protection is weaker here than it should be. Known after the first command. */
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shells?.dispose();
  }

  async #runOnce(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    this.#shells ??= new WaitingShells(this.groups, filterFile());
    const { mounts, staged } = this.#stage(command.mounts ?? []);
    const order = this.#order({ ...command, mounts }, limits, staged);
    const result = await this.#shells.lend(staged === null ? this.#identity : null, async (shell, isOver) => {
      const overDisk = watchDisk(command.workspace, limits.diskMb, Date.now());
      const output = await shell.give(order, limits);
      const supervised = await supervise(
        shell.child,
        {
          input: `\n${command.stdin ?? ""}`,
          ...(command.stdinStream && { inputStream: command.stdinStream }),
          timeoutMs: limits.timeoutMs,
          output,
          outputBytes: limits.outputBytes,
          ...(command.onOutput && { onOutput: command.onOutput }),
          overDisk: {
            everyMs: DISK_WATCH_MS,
            check: (extra) => overDisk(readStatus(extra).firstProcess),
          },
          kill: (pid, extra) => {
            // It may have ended a moment ago, before anybody heard of it.
            attempt(() => process.kill(pid, "SIGKILL"));
            endNamespace(readStatus(extra).firstProcess);
          },
        },
        signal,
      );
      const status = readStatus(supervised.extra);
      if (status.firstProcess !== undefined) await namespaceEnd(status.firstProcess).then(isOver);
      const end = readResult(supervised, shell.group, status);
      // Once a process runs inside, the output may be the command's own, so nothing may be concluded from it.
      if (end === null && (status.firstProcess !== undefined || !this.#learnsLack(supervised)))
        throw brokenBy(supervised);
      return end;
    });
    // This bwrap did not know an option: try once more without it.
    return result ?? (await this.#runOnce(command, limits, signal));
  }

  #order(command: Command, limits: SandboxLimits, staged: Order["staged"]): { script: string; options: string } {
    this.#system ??= systemMounts();
    const missing = { memory: this.groups.holds("memory") === null, pids: this.groups.holds("pids") === null };
    const options = without(this.#lacking, bubblewrapArguments(command, limits, this.#system));
    const bwrap = [this.#program, "--args", String(OPTIONS_DESCRIPTOR), "--"];
    const argv = [...bwrap, ...withProcessLimits(command.argv, limits, missing)];
    const script = orderScript({ limits, stdin: readsInput(command), staged, argv, files: etcFiles(command.guise) });
    return { script, options: optionsFile(options) };
  }

  /** The mounts in the form for bwrap, and what must be put in place for it because only root can reach it. */
  #stage(mounts: Mount[]): { mounts: StagedMount[]; staged: Order["staged"] } {
    const identity = this.#identity;
    if (identity === null) return { mounts, staged: null };
    const paths: string[] = [];
    const found = mounts.map((mount) => {
      if (this.#obstacle(mount.from, identity) === null) return mount;
      paths.push(mount.from);
      return { ...mount, from: stagedPath(paths.length - 1), seenAt: mount.from };
    });
    return { mounts: found, staged: paths.length === 0 ? null : { paths, identity } };
  }

  #check(command: Command): void {
    checkWorkingDirectory(command);
    const { workspace } = command;
    const identity = this.#identity;
    if (identity === null) return;
    const obstacle = this.#obstacle(workspace, identity);
    if (obstacle !== null) {
      throw unavailable(
        `the sandbox cannot reach ${workspace}: ${obstacle} is closed to the user id ${identity.uid} that code runs as; keep it below directories of mode 755`,
      );
    }
    if (!mayWrite(workspace, identity)) {
      throw unavailable(`the workspace ${workspace} must belong to the user id ${identity.uid}; chown it`);
    }
  }

  #obstacle(path: string, identity: Identity): string | null {
    const known = this.#obstacles.get(path);
    if (known !== undefined) return known;
    const obstacle = firstObstacle(path, identity);
    this.#obstacles.set(path, obstacle);
    return obstacle;
  }

  /** True if bwrap refused an option that may be omitted. From now on it is omitted. */
  #learnsLack(supervised: Supervised): boolean {
    const option = /Unknown option (--\S+)/.exec(supervised.stderr.text())?.[1];
    if (option === undefined || !(option in OPTIONAL_OPTIONS) || this.#lacking.has(option)) return false;
    this.#lacking.add(option);
    return true;
  }
}

const readsInput = ({ stdin, stdinStream }: Command) => stdin !== undefined || stdinStream !== undefined;

function without(lacking: Set<string>, options: string[]): string[] {
  const kept = [...options];
  for (const option of lacking) {
    const length = 1 + (OPTIONAL_OPTIONS[option]?.values ?? 0);
    for (let at = kept.indexOf(option); at !== -1; at = kept.indexOf(option)) kept.splice(at, length);
  }
  return kept;
}

function brokenBy(supervised: Supervised): Error {
  if (supervised.exitCode === JOIN_FAILED) {
    return new Error(`a sandboxed command could not join its control group: ${supervised.stderr.text().trim()}`);
  }
  return explainBubblewrap(supervised.stderr.text());
}
