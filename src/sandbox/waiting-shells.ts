import { attempt } from "./control-group.ts";
import type { ControlGroups } from "./control-groups.ts";
import type { Identity } from "./identity.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { WaitingShell } from "./waiting-shell.ts";

/**
 * When the shell of the next command is made ready: not beside a short command, which it would slow down, but while a long
 * one runs, or a moment after the end, when whoever asked is likely to wait for something else.
 */
const LONG_COMMAND_MS = 50;
const PAUSE_MS = 5;

/** Gives every command a shell, and from the second one on a shell that was ready before. */
export class WaitingShells {
  readonly #groups: ControlGroups;
  readonly #filter: string;
  readonly #covered = inheritedDescriptors();
  /** Groups that are being removed. */
  readonly #clearing = new Set<Promise<void>>();
  #next: WaitingShell | undefined;
  #disposed = false;

  /** `filter` is the file that holds the filter of system calls. */
  constructor(groups: ControlGroups, filter: string) {
    this.#groups = groups;
    this.#filter = filter;
  }

  /** Lends a shell to one command. `use` says when nothing of the command runs any more; whatever does is then ended. */
  async lend<T>(identity: Identity | null, use: (shell: WaitingShell, isOver: () => void) => Promise<T>): Promise<T> {
    const shell = this.#take(identity);
    const meanwhile = this.#prepareIn(LONG_COMMAND_MS, identity);
    let isOver = false;
    try {
      return await use(shell, () => {
        isOver = true;
      });
    } finally {
      clearTimeout(meanwhile);
      this.#prepareIn(PAUSE_MS, identity);
      const clearing = shell.clear().finally(() => this.#clearing.delete(clearing));
      this.#clearing.add(clearing);
      // The dead stay in their group until whoever inherited them has looked: nobody needs to wait for that.
      if (isOver) clearing.catch(() => {});
      else await clearing;
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#next?.dismiss();
    this.#next = undefined;
    await Promise.allSettled(this.#clearing);
  }

  #take(identity: Identity | null): WaitingShell {
    const next = this.#next;
    if (!next?.isReady || next.identity !== identity) return this.#start(identity);
    this.#next = undefined;
    return next;
  }

  #prepareIn(ms: number, identity: Identity | null): NodeJS.Timeout {
    return setTimeout(() => this.#prepare(identity), ms).unref();
  }

  /** The next command is likely to need a shell like the one before. */
  #prepare(identity: Identity | null): void {
    if (this.#disposed || (this.#next?.isReady && this.#next.identity === identity)) return;
    this.#next?.dismiss().catch(() => {});
    this.#next = undefined;
    // What goes wrong here goes wrong again when the next command starts, and is said then.
    attempt(() => {
      this.#next = this.#start(identity);
    });
  }

  #start(identity: Identity | null): WaitingShell {
    return new WaitingShell(this.#groups, { identity, filter: this.#filter, covered: this.#covered });
  }
}
