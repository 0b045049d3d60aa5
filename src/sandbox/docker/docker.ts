import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { makeScratch } from "../../workspace/scratch-directory.ts";
import { DISK_WATCH_MS, watchDisk } from "../disk-watch.ts";
import { unavailable } from "../explain.ts";
import { droppedIdentity, type Identity } from "../identity.ts";
import { MountPoints } from "../mount-points.ts";
import { namespaceProcesses } from "../namespace-processes.ts";
import type { Command, CommandResult, Ending, Sandbox } from "../sandbox.ts";
import { feed, readExit } from "../supervise.ts";
import { checkWorkingDirectory } from "../working-directory.ts";
import { blankImage, hostSystem } from "./blank-image.ts";
import { type ContainerPlace, containerOf, readsInput } from "./container.ts";
import { EngineApi, messageOf } from "./engine-api.ts";
import { LastWord, limitHitBy } from "./last-word.ts";
import { removeContainer, removeOrphans, thisOwner } from "./owner.ts";
import { seccompProfile } from "./seccomp-profile.ts";
import { drain, Outputs } from "./streams.ts";

/** How long the streams may stay open after the command has ended. */
const LINGER_MS = 1_000;
const LONGEST_TIMER_MS = 2_147_483_647;

const Created = z.object({ Id: z.string() });
const Waited = z.object({ StatusCode: z.int() });
const Inspected = z.object({
  State: z.object({ OOMKilled: z.boolean().default(false), Pid: z.int().default(0) }),
});
const Version = z.object({ Components: z.array(z.object({ Name: z.string() })).default([]) });
const Info = z.object({ SecurityOptions: z.array(z.string()).nullish() });

/**
 * Runs each command in a container of its own, through the interface of Docker or podman.
 *
 * 1. Without a named image the container shows the host's own system read-only, as bubblewrap does.
 * 2. When `run` returns or throws, its container is gone, and every process of it. The containers of a process that was
 *    killed are removed by the next one that opens this backend.
 */
export class Docker implements Sandbox {
  readonly backend = "docker";
  readonly #api: EngineApi;
  readonly #image: string | null;
  readonly #mountPoints = new MountPoints();
  #place: Promise<ContainerPlace> | undefined;
  #scratch: string | undefined;

  constructor(socketPath: string, image: string | null) {
    this.#api = new EngineApi(socketPath);
    this.#image = image;
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    signal.throwIfAborted();
    checkWorkingDirectory(command);
    this.#place ??= this.#prepare();
    const place = await this.#place;
    using lastWord = await LastWord.open();
    const mounts = [...(command.mounts ?? []), ...(lastWord ? [lastWord.mount] : [])];
    const release = this.#mountPoints.prepare(command.workspace, mounts);
    try {
      const made = await this.#api.send(
        "POST",
        "/containers/create",
        containerOf({ ...command, mounts }, limits, place),
      );
      if (made.status >= 400) throw unavailable(`the container engine made no container: ${messageOf(made)}`);
      const { Id } = Created.parse(made.body);
      try {
        return await this.#follow(Id, command, limits, signal, lastWord);
      } finally {
        await removeContainer(this.#api, Id);
      }
    } finally {
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #follow(
    id: string,
    command: Command,
    limits: SandboxLimits,
    signal: AbortSignal,
    lastWord: LastWord | null,
  ): Promise<CommandResult> {
    const outputs = new Outputs(limits.outputBytes, command.onOutput);
    const socket = await this.#api.attach(id, readsInput(command));
    const drained = drain(socket, outputs);
    const ended = this.#api.send("POST", `/containers/${id}/wait?condition=next-exit`);
    ended.catch(() => {}); // awaited below, after the start
    const started = performance.now();
    let stopInput = () => {};
    try {
      const start = await this.#api.send("POST", `/containers/${id}/start`);
      if (start.status >= 400) return notStarted(messageOf(start));
      if (readsInput(command)) stopInput = feed(socket, inputOf(command));
      const stoppedBy = this.#watch(id, command, limits, signal);
      let limitHit: ReturnType<typeof limitHitBy> = null;
      lastWord?.ended
        .then(async () => {
          limitHit = limitHitBy((await this.#inspect(id)).Pid);
        })
        .catch(() => {}) // it ended otherwise
        .finally(() => lastWord.release());
      let exit: { StatusCode: number };
      try {
        exit = Waited.parse((await ended).body);
      } finally {
        stoppedBy.end();
      }
      const durationMs = performance.now() - started;
      await Promise.race([drained, linger()]);
      signal.throwIfAborted();
      const { OOMKilled } = await this.#inspect(id);
      const { exitCode, signal: name } = readExit(exit.StatusCode, null);
      return {
        ending: endingOf(stoppedBy.reason, OOMKilled ? "memory-limit" : limitHit, name),
        exitCode: stoppedBy.reason === null ? exitCode : null,
        signal: stoppedBy.reason === null ? name : "SIGKILL",
        stdout: outputs.stdout.text(),
        stderr: outputs.stderr.text(),
        truncated: outputs.stdout.truncated || outputs.stderr.truncated,
        durationMs,
      };
    } finally {
      stopInput();
      socket.destroy();
    }
  }

  async #inspect(id: string): Promise<z.infer<typeof Inspected>["State"]> {
    return Inspected.parse(await this.#api.demand("GET", `/containers/${id}/json`)).State;
  }

  /** Ends the container when the time or the disk is used up, or when the person stops the run. */
  #watch(id: string, command: Command, limits: SandboxLimits, signal: AbortSignal) {
    const watch: { reason: "timeout" | "disk" | "abort" | null; end(): void } = { reason: null, end: () => {} };
    const stop = (reason: "timeout" | "disk" | "abort") => {
      watch.reason ??= reason;
      this.#api.send("POST", `/containers/${id}/kill`).catch(() => {}); // it may have ended by itself
    };
    const onAbort = () => stop("abort");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const timer = setTimeout(() => stop("timeout"), Math.min(limits.timeoutMs, LONGEST_TIMER_MS));
    const isOverDisk = watchDisk(command.workspace, limits.diskMb, Date.now());
    // Unknown until the engine reports it. Before that nothing of the command runs.
    let firstProcess: number | null | undefined;
    const isSeen = (pid: number) => namespaceProcesses(pid).length > 0;
    void this.#inspect(id).then(
      ({ Pid }) => {
        firstProcess = isSeen(Pid) ? Pid : null;
      },
      () => {}, // it has ended already
    );
    const interval = setInterval(() => isOverDisk(firstProcess) && stop("disk"), DISK_WATCH_MS);
    watch.end = () => {
      clearTimeout(timer);
      clearInterval(interval);
      signal.removeEventListener("abort", onAbort);
    };
    return watch;
  }

  async #prepare(): Promise<ContainerPlace> {
    const { SecurityOptions } = Info.parse(await this.#api.demand("GET", "/info"));
    const rootless = (SecurityOptions ?? []).some((option) => option.includes("rootless"));
    const identity = rootless ? null : identityInside();
    await removeOrphans(this.#api);
    const common = { identity, owner: thisOwner(), seccomp: await this.#seccomp() };
    if (this.#image === null) {
      if (process.platform !== "linux") {
        throw unavailable(
          "on this system containers need an image with your interpreters: name one in `sandbox.image`",
        );
      }
      return { ...common, image: await blankImage(this.#api, identity), system: hostSystem() };
    }
    if ((await this.#api.send("GET", `/images/${encodeURIComponent(this.#image)}/json`)).status !== 200) {
      throw unavailable(
        `the container engine has no image ${this.#image}: fetch it with \`docker pull ${this.#image}\``,
      );
    }
    return { ...common, image: this.#image, system: [] };
  }

  async #seccomp(): Promise<string> {
    const profile = JSON.stringify(seccompProfile());
    const { Components } = Version.parse(await this.#api.demand("GET", "/version"));
    if (!Components.some(({ Name }) => Name.startsWith("Podman"))) return profile;
    this.#scratch = makeScratch("podman");
    const path = join(this.#scratch, "seccomp.json");
    writeFileSync(path, profile);
    return path;
  }
}

function identityInside(): Identity {
  return droppedIdentity() ?? { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 };
}

function endingOf(
  reason: "timeout" | "disk" | "abort" | null,
  limitHit: ReturnType<typeof limitHitBy>,
  signal: string | null,
): Ending {
  if (reason === "timeout") return "timeout";
  if (reason === "disk" || signal === "SIGXFSZ") return "disk-limit";
  return limitHit ?? "exited";
}

/** The shell in front reports a missing program. A missing shell is a fault of the image. */
function notStarted(message: string): never {
  throw unavailable(`the container did not start: ${message}`);
}

const linger = () => new Promise<void>((resolve) => setTimeout(resolve, LINGER_MS).unref());

const inputOf = ({ stdin = "", stdinStream }: Command) => ({
  input: stdin,
  ...(stdinStream && { inputStream: stdinStream }),
});
