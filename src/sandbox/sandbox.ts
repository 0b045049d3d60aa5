import type { SandboxLimits } from "../domain/settings/settings.ts";

/** Where the workspace appears inside, on every backend that can mount. */
export const WORKSPACE = "/workspace";

/** A host path made visible read-only inside. */
export interface Mount {
  from: string;
  to: string;
  /** Directories in it that tools write to, such as `.cache`: what is written there is forgotten, where a backend can. */
  scratch?: string[];
  /** Directories in it whose files stay as they are, and beside which tools write others: forgotten in the same way. */
  beside?: string[];
}

export interface Command {
  /** Program and arguments; a shell line is `["bash", "-c", line]`. */
  argv: string[];
  /** Host directory that is writable inside as WORKSPACE. */
  workspace: string;
  /** Below the workspace; default its root. */
  cwd?: string;
  mounts?: Mount[];
  /** The whole environment in addition to PATH, HOME, LANG and TZ. Nothing of the host's environment is inherited. */
  env?: Record<string, string>;
  /** Directories before the standard PATH. */
  path?: string[];
  stdin?: string;
  /** What the command reads after `stdin`, as a person types it. */
  stdinStream?: NodeJS.ReadableStream;
  /** Called with every chunk as it comes, including those that the bounded result leaves out. */
  onOutput?(stream: "stdout" | "stderr", chunk: Buffer): void;
  /** Absent: no network at all. */
  network?: NetworkAccess;
  /** Absent: the machine and its user look like a sandbox. Only bubblewrap can look otherwise; others ignore it. */
  guise?: Guise;
}

/**
 * Whose machine it seems to be. Mounts, paths and variables of the command still name the workspace as WORKSPACE; inside
 * they name `directory`.
 */
export interface Guise {
  user: string;
  fullName: string;
  /** Writable, in memory; gone afterwards. */
  home: string;
  /** Where the workspace appears: below `home`. */
  directory: string;
  host: string;
  /** A name of the time zone database. */
  zone: string;
}

/** Which hosts a command may reach, by HTTP and HTTPS through our proxy, and who is told. */
export interface NetworkAccess {
  /**
   * `host` or `*.suffix`, each with an optional `:port`; without one, 80 and 443. Empty: every request is refused and
   * reported.
   */
  hosts: string[];
  /** For an install: the registries among these hosts, by language. Downloaded packages are kept. */
  registries?: Partial<Record<string, string[]>>;
  onRequest?(request: NetworkRequest): void;
}

export interface NetworkRequest {
  /** As the command requested it; empty if the request could not be read. */
  host: string;
  port: number;
  method: string;
  allowed: boolean;
  /** Why it was refused; empty when it was allowed. */
  reason: string;
}

/** A limit that was hit is a separate ending, never a mere exit code. */
export type Ending = "exited" | "timeout" | "memory-limit" | "process-limit" | "disk-limit";

export interface CommandResult {
  ending: Ending;
  /** Null if a signal ended it. */
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
  /** How the protection is enforced, or why it is not. */
  how: string;
  /** What a person can do about it; empty when there is nothing to do. */
  remedy: string;
}

/** What the machine can do; fails closed when `usable` is false. */
export interface SandboxProbe {
  usable: boolean;
  /** Why not, and what to do about it; empty when usable. */
  problem: string;
  /** The protections of a sandbox, and whether each holds on this machine. Empty if it is not usable. */
  guarantees: Guarantee[];
}
