import type { ChildProcess } from "node:child_process";
import { closeSync, fchmodSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxLimits } from "../domain/settings.ts";
import type { ControlGroup } from "./control-group.ts";
import type { ControlGroups } from "./control-groups.ts";
import type { Identity } from "./identity.ts";
import { FIRST_JOIN, ORDER_DESCRIPTOR, waitingScript } from "./launcher.ts";
import { startProcess } from "./start-process.ts";
import { hasEnded } from "./supervise.ts";

/**
 * A shell that has joined the control group of the next command and waits for its order. Joining takes the kernel some ten
 * milliseconds after a pause, and starting a process blocks us for a few: both are over before the command comes.
 * While it waits it keeps nothing alive, and it ends by itself when this process does.
 */
export class WaitingShell {
  readonly child: ChildProcess;
  readonly group: ControlGroup;
  readonly identity: Identity | null;
  readonly #order: number;
  #broken = false;

  constructor(groups: ControlGroups, identity: Identity | null, covered: number[]) {
    this.identity = identity;
    this.#order = openNameless();
    this.group = groups.create();
    const joins = this.group.openJoins();
    const unused = Array.from({ length: ORDER_DESCRIPTOR - FIRST_JOIN - joins.length }, () => "ignore" as const);
    this.child = startProcess({
      argv: ["/bin/sh", "-c", waitingScript(joins.length)],
      cwd: "/",
      env: {},
      identity,
      stdin: true,
      descriptors: ["pipe", ...joins, ...unused, this.#order],
      covered,
      detached: false,
    });
    for (const descriptor of joins) closeSync(descriptor);
    this.child.on("error", () => {
      this.#broken = true;
    });
    this.#hold(false);
  }

  get isReady(): boolean {
    return !this.#broken && !hasEnded(this.child);
  }

  /** From now on it is the command: send a line and what the command shall read. */
  give(order: string, limits: SandboxLimits): void {
    this.group.limit(limits);
    this.#hold(true);
    writeSync(this.#order, order, 0);
    closeSync(this.#order);
  }

  /** Ends it unused. */
  async dismiss(): Promise<void> {
    closeSync(this.#order);
    await this.clear();
  }

  /** Ends what is left of it and of its command, and removes the group. */
  async clear(): Promise<void> {
    if (!hasEnded(this.child)) this.child.kill("SIGKILL");
    await this.group.remove();
  }

  #hold(alive: boolean): void {
    for (const handle of [this.child, ...this.child.stdio]) {
      if (handle === this.child || handle instanceof Socket) alive ? handle.ref() : handle.unref();
    }
  }
}

/** A file that nobody else can open: only who is given its descriptor reads the order. */
function openNameless(): number {
  const directory = mkdtempSync(join(tmpdir(), "miracle-order-"));
  try {
    const descriptor = openSync(join(directory, "order"), "w+");
    fchmodSync(descriptor, 0o644);
    return descriptor;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
