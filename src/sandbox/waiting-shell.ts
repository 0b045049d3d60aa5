import type { ChildProcess } from "node:child_process";
import { chownSync, closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings/settings.ts";
import { makeScratch } from "../workspace/scratch-directory.ts";
import type { ControlGroup } from "./control-group.ts";
import type { ControlGroups } from "./control-groups.ts";
import { explainStart } from "./explain.ts";
import type { Identity } from "./identity.ts";
import { FIRST_JOIN, ORDER_DESCRIPTOR, PIPES, waitingScript } from "./launcher.ts";
import { startProcess } from "./start-process.ts";
import { hasEnded, type Output } from "./supervise.ts";

/**
 * A shell that has joined the control group of the next command and waits for its order. After a pause joining takes
 * the kernel some ten milliseconds, and starting a process blocks us for a few. Both are done before the command comes.
 * The waiting shell keeps nothing alive, and ends by itself when this process does.
 */
export class WaitingShell {
  readonly child: ChildProcess;
  readonly group: ControlGroup;
  readonly identity: Identity | null;
  /** Files that it reads when its order comes: the order, and bwrap's options. */
  readonly #order: number;
  readonly #options: number;
  readonly #directory: string;
  /** Its output; nothing if it ended before it was ready. */
  readonly #output: Promise<Output | null>;
  /** Why it could not be started. */
  #failure: Error | undefined;

  constructor(groups: ControlGroups, { identity, filter, covered }: ShellNeeds) {
    this.identity = identity;
    this.group = groups.create();
    this.#directory = makeScratch("order");
    this.#order = openNameless(this.#directory);
    this.#options = openNameless(this.#directory);
    if (identity) chownSync(this.#directory, identity.uid, identity.gid);
    const joins = this.group.openJoins();
    const unused = Array.from({ length: ORDER_DESCRIPTOR - FIRST_JOIN - joins.length }, () => "ignore" as const);
    // Opened for each shell: readers of one opening would share their position.
    const given = [openSync(filter, constants.O_RDONLY), openSync(this.#directory, constants.O_RDONLY)];
    this.child = startProcess({
      argv: ["/bin/sh", "-c", waitingScript(joins.length)],
      cwd: "/",
      env: {},
      identity,
      stdin: true,
      descriptors: ["pipe", ...joins, ...unused, this.#order, ...given, this.#options],
      covered,
      detached: false,
    });
    for (const descriptor of [...joins, ...given]) closeSync(descriptor);
    this.#output = this.#openOutput();
    this.#hold(false);
  }

  get isReady(): boolean {
    return this.#failure === undefined && !hasEnded(this.child);
  }

  /** From now on it is the command: send a line, and then the command's input. */
  async give(order: { script: string; options: string }, limits: SandboxLimits): Promise<Output | null> {
    this.group.limit(limits);
    this.#hold(true);
    writeAtStart(this.#order, order.script);
    writeAtStart(this.#options, order.options);
    this.#closeOrder();
    const output = await this.#output;
    if (this.#failure) throw explainStart(this.#failure);
    return output;
  }

  /** Ends it unused. */
  async dismiss(): Promise<void> {
    this.#closeOrder();
    await this.clear();
  }

  /** Ends every process that is left of it and its command, and removes the group. */
  async clear(): Promise<void> {
    if (!hasEnded(this.child)) this.child.kill("SIGKILL");
    // Not awaited: something that keeps nothing alive may never settle.
    void this.#output.then((output) => {
      for (const pipe of [output?.stdout, output?.stderr]) pipe?.destroy();
    });
    this.#removeDirectory();
    await this.group.remove();
  }

  /** The pipes exist once the shell has said so. From then on they need no name. */
  #openOutput(): Promise<Output | null> {
    const { promise, resolve } = Promise.withResolvers<Output | null>();
    this.child.stdio[3]?.once("data", () => {
      try {
        const [stdout, stderr] = [PIPES.stdout, PIPES.stderr].map((name) => openPipe(join(this.#directory, name)));
        resolve(stdout && stderr ? { stdout, stderr } : null);
      } catch {
        resolve(null);
      }
      this.#removeDirectory();
    });
    this.child.once("exit", () => resolve(null));
    this.child.on("error", (error) => {
      this.#failure = error;
      resolve(null);
    });
    return promise;
  }

  #closeOrder(): void {
    for (const descriptor of [this.#order, this.#options]) closeSync(descriptor);
  }

  #removeDirectory(): void {
    // A shell that is being ended may still make its pipes there.
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
  }

  #hold(alive: boolean): void {
    for (const handle of [this.child, ...this.child.stdio]) {
      if (handle === this.child || handle instanceof Socket) alive ? handle.ref() : handle.unref();
    }
  }
}

export interface ShellNeeds {
  identity: Identity | null;
  /** The file that holds the filter of system calls. */
  filter: string;
  /** Descriptors of this process that it must not inherit. */
  covered: number[];
}

/** A file that nobody else can open: only the holder of its descriptor can read the order. */
function openNameless(directory: string): number {
  const path = join(directory, "order");
  const descriptor = openSync(path, "w+", 0o644);
  rmSync(path);
  return descriptor;
}

/** Does not move the position of the shell, which shares this opening. */
function writeAtStart(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
}

function openPipe(path: string): Socket {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  return new Socket({ fd: openSync(path, flags), readable: true, writable: false }).unref();
}
