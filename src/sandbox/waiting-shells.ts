import { attempt } from "./control-group.ts";
import type { ControlGroups } from "./control-groups.ts";
import type { Identity } from "./identity.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { WaitingShell } from "./waiting-shell.ts";

/**
 * When the next shell is prepared. Not during a short command, which it would slow down. During a long one, or a moment
 * after the end, when the caller probably waits for something else.
 */
const LONG_COMMAND_MS = 50;
const PAUSE_MS = 5;

/** Gives every command a shell. From the second command on the shell is already prepared. */
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

  /**
   * Lends a shell to one command. `use` calls `isOver` once nothing of the command runs any more. Without that call the
   * remaining processes are ended, and `lend` waits for it.
   */
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
      // Dead processes stay in their group until their new parent has looked. Nobody needs to wait for that.
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

  /** The next command probably needs the same kind of shell. */
  #prepare(identity: Identity | null): void {
    if (this.#disposed || (this.#next?.isReady && this.#next.identity === identity)) return;
    this.#next?.dismiss().catch(() => {});
    this.#next = undefined;
    // An error here occurs again when the next command starts, and is reported then.
    attempt(() => {
      this.#next = this.#start(identity);
    });
  }

  #start(identity: Identity | null): WaitingShell {
    return new WaitingShell(this.#groups, { identity, filter: this.#filter, covered: this.#covered });
  }
}
