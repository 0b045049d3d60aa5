import type { SandboxLimits } from "../domain/settings/settings.ts";

/** Where the workspace appears inside, on every backend that can mount. */
export const WORKSPACE = "/workspace";

/** A host path made visible read-only inside. */
export interface Mount {
  from: string;
  to: string;
}

export interface Command {
  /** Program and arguments; a shell line is `["bash", "-c", line]`. */
  argv: string[];
  /** Host directory that is writable inside as WORKSPACE. */
  workspace: string;
  /** Below the workspace; default its root. */
  cwd?: string;
  mounts?: Mount[];
  /** The whole environment beside PATH, HOME, LANG, TZ: nothing of the host's is inherited. */
  env?: Record<string, string>;
  /** Directories put before the standard PATH. */
  path?: string[];
  stdin?: string;
  /** What the command reads after `stdin`, for a person who types it. */
  stdinStream?: NodeJS.ReadableStream;
  /** Sees every chunk as it comes, also those that the bounded result leaves out. */
  onOutput?(stream: "stdout" | "stderr", chunk: Buffer): void;
  /** Absent: no network at all. */
  network?: NetworkAccess;
}

/** Which hosts a command may reach, by HTTP and HTTPS through a proxy of ours, and who is told. */
export interface NetworkAccess {
  /** `host` or `*.suffix`, each with an optional `:port`; without one, 80 and 443. Empty: everything is refused, and told. */
  hosts: string[];
  /** Of an install: the registries among these hosts, by language. Packages that were fetched once are kept. */
  registries?: Partial<Record<string, string[]>>;
  onRequest?(request: NetworkRequest): void;
}

export interface NetworkRequest {
  /** As the command asked for it; empty when the request could not be read. */
  host: string;
  port: number;
  method: string;
  allowed: boolean;
  /** Why it was refused; empty when it was allowed. */
  reason: string;
}

/** A limit that was hit is its own ending, never a mere exit code. */
export type Ending = "exited" | "timeout" | "memory-limit" | "process-limit" | "disk-limit";

export interface CommandResult {
  ending: Ending;
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** Bounded: the head and the tail are kept, with a line that says how much is missing. */
  stdout: string;
  stderr: string;
  truncated: boolean;
  durationMs: number;
}

/** The port to every way of running untrusted code. */
export interface Sandbox extends AsyncDisposable {
  readonly backend: string;
  /** A non-zero exit is a result. A throw means the sandbox itself broke. Output is bounded here. */
  run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult>;
}

export interface Guarantee {
  /** `memory`, `system calls` … */
  name: string;
  holds: boolean;
  /** How it is held, or why it is not. */
  how: string;
  /** What a person can do about it; empty when there is nothing to do. */
  remedy: string;
}

/** What the machine can do; fails closed when `usable` is false. */
export interface SandboxProbe {
  usable: boolean;
  /** Why not, and what to do about it; empty when usable. */
  problem: string;
  /** What is promised of a sandbox, and whether it holds on this machine; empty when it is not usable. */
  guarantees: Guarantee[];
}
