import { posix } from "node:path";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import { environment } from "../bubblewrap-arguments.ts";
import type { Identity } from "../identity.ts";
import { type Command, type Mount, WORKSPACE } from "../sandbox.ts";
import { SAY_LAST_WORD } from "./last-word.ts";

export interface ContainerPlace {
  image: string;
  /** The host's system, for an image without its own. */
  system: Mount[];
  /** The user inside; null if the engine runs without root's rights and maps its root to this user. */
  identity: Identity | null;
  /** The profile of system calls, or the path of its file: Docker takes the profile, podman the path. */
  seccomp: string;
  /** Names the process that started the container, so that a later process can tell whether it is still alive. */
  owner: string;
}

const BEFORE = "unset HOSTNAME container; exec 3>&2 2>/dev/null";

export const OWNER_LABEL = "miracle.owner";
const MEGABYTE = 1024 * 1024;

/** The request to an engine for one command: the same isolation as bubblewrap's, in the engine's terms. */
export function containerOf(command: Command, limits: SandboxLimits, place: ContainerPlace): object {
  const temporary = Math.min(limits.diskMb, Math.ceil(limits.memoryMb / 2)) * MEGABYTE;
  const { identity } = place;
  return {
    Image: place.image,
    // A shell, which prints nothing itself, stays the first process. The first process ignores signals, and the
    // command must not.
    Entrypoint: ["/bin/sh", "-c", `${BEFORE}; ("$@" 2>&3 3>&-); s=$?; ${SAY_LAST_WORD}; exit $s`, "sh"],
    Cmd: command.argv,
    Env: Object.entries(environment(command, "/tmp")).map(([name, value]) => `${name}=${value}`),
    WorkingDir: posix.join(WORKSPACE, command.cwd ?? "."),
    User: identity ? `${identity.uid}:${identity.gid}` : "0:0",
    Hostname: "sandbox",
    NetworkDisabled: true,
    Labels: { [OWNER_LABEL]: place.owner },
    OpenStdin: readsInput(command),
    StdinOnce: readsInput(command),
    AttachStdin: readsInput(command),
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      NetworkMode: "none",
      ReadonlyRootfs: true,
      // By default engines allow everybody to ping. Here there is nobody to reach.
      Sysctls: { "net.ipv4.ping_group_range": "1 0" },
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges", `seccomp=${place.seccomp}`],
      IpcMode: "private",
      Memory: limits.memoryMb * MEGABYTE,
      MemorySwap: limits.memoryMb * MEGABYTE,
      NanoCpus: Math.round(limits.cpus * 1e9),
      // One more, for the shell in front.
      PidsLimit: limits.pids + 1,
      ShmSize: Math.min(temporary, 64 * MEGABYTE),
      Tmpfs: {
        "/tmp": `rw,exec,nosuid,nodev,mode=1777,size=${temporary}`,
        // Nothing inside needs the kernel's view of the machine.
        "/sys": "ro,nosuid,nodev,noexec,size=4k",
      },
      Ulimits: [
        { Name: "core", Soft: 0, Hard: 0 },
        // An engine's default may exceed what this machine allows, and then nothing starts.
        { Name: "nofile", Soft: 4096, Hard: 4096 },
        { Name: "nproc", Soft: 4096, Hard: 4096 },
        { Name: "fsize", Soft: limits.diskMb * MEGABYTE, Hard: limits.diskMb * MEGABYTE },
      ],
      // We read the output. A copy in the engine's log would fill the disk.
      LogConfig: { Type: "none" },
      Mounts: [
        ...place.system.map(readOnly),
        { Type: "bind", Source: command.workspace, Target: WORKSPACE, ReadOnly: false },
        ...(command.mounts ?? []).map(readOnly),
      ],
    },
  };
}

export const readsInput = ({ stdin, stdinStream }: Command): boolean =>
  stdin !== undefined || stdinStream !== undefined;

const readOnly = ({ from, to }: Mount) => ({ Type: "bind", Source: from, Target: to, ReadOnly: true });
