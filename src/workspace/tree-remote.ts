import { setTimeout as sleep } from "node:timers/promises";
import { fail, TerminalFailure } from "../domain/failure.ts";
import { epochOf } from "./branch.ts";
import { git } from "./git.ts";
import { decodeCommit } from "./git-objects.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { unreachable } from "./probe-remote.ts";
import { accessTo, addressFor, type RemoteAddress } from "./remote-address.ts";
import type { Refs } from "./repository.ts";
import { branchRefs, snapshotRef, snapshotRefs, wrapSnapshot } from "./tree-refs.ts";

interface TreeRemoteParts {
  remote: RemoteAddress;
  objects: ObjectDatabase;
  refs: Refs;
  gitDirectory: string;
  path: string;
}

/** A server that is started anew is back before the last of these. */
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/**
 * Where machines exchange trees, by git's own packs.
 *
 * Invariants:
 * 1. What was noted before `send` is at the remote when it returns: so a step may name it.
 * 2. Snapshots travel as commits, since git compares by commits what the other side has already. The first one of a task
 *    has no parent and is the same everywhere; the others have one that was sent before.
 * 3. A branch that was moved under a later claim is not moved back.
 * 4. The name of a snapshot's ref says its tree: where two machines made the same one, the first commit of it counts.
 */
export class TreeRemote {
  readonly #parts: TreeRemoteParts;
  /** Refs that are here and may not be there, by task. */
  readonly #pending = new Map<string, Set<string>>();
  readonly #sent = new Set<string>();
  readonly #sending = new Map<string, Promise<void>>();
  /** A commit of the task that the remote has, for the next one to build on. */
  readonly #known = new Map<string, string>();

  constructor(parts: TreeRemoteParts) {
    this.#parts = parts;
  }

  noteSnapshot(task: string, id: string): void {
    const ref = snapshotRef(task, id);
    if (!this.#sent.has(ref)) this.#note(task, ref);
  }

  noteBranch(task: string, ref: string): void {
    this.#note(task, ref);
  }

  /** Strands of a task send one after the other: each finds what the one before it left. */
  async send(task: string): Promise<void> {
    while (this.#pending.has(task) || this.#sending.has(task)) {
      await (this.#sending.get(task) ?? this.#begin(task));
    }
  }

  /**
   * Makes everything that the remote has of a task known here, or its snapshots alone: a branch that was moved here and
   * is not sent yet would be moved back.
   */
  async receive(task: string, which: "all" | "snapshots"): Promise<void> {
    const wanted = which === "all" ? [snapshotRefs(task), branchRefs(task)] : [snapshotRefs(task)];
    const all = wanted.map((refs) => `+${refs}/*:${refs}/*`);
    const flags = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc"];
    await this.#patiently(async () => {
      // What a process left here that was killed before it had sent it is not there.
      const there = await this.#heads(task, [`${snapshotRefs(task)}/*`]);
      if (there.size > 0) await this.#git(["fetch", ...flags, "--", this.#addressFor(task), ...all]);
      this.#parts.objects.packAdded();
      for (const [name, id] of there) {
        this.#sent.add(name);
        if (this.#parts.objects.read(id).type === "commit") this.#known.set(task, id);
      }
    });
  }

  #note(task: string, ref: string): void {
    const pending = this.#pending.get(task) ?? new Set();
    this.#pending.set(task, pending.add(ref));
  }

  #begin(task: string): Promise<void> {
    const names = [...(this.#pending.get(task) ?? [])];
    this.#pending.delete(task);
    const sending = this.#push(task, names).then(
      () => {
        this.#sending.delete(task);
        for (const name of names) if (name.startsWith(snapshotRefs(task))) this.#sent.add(name);
      },
      (error: unknown) => {
        this.#sending.delete(task);
        for (const name of names) this.#note(task, name);
        throw error;
      },
    );
    this.#sending.set(task, sending);
    return sending;
  }

  async #push(task: string, names: string[]): Promise<void> {
    const { objects, refs } = this.#parts;
    for (const name of names) {
      if (!name.startsWith(snapshotRefs(task))) continue;
      this.#known.set(task, wrapSnapshot(objects, refs, name, this.#known.get(task)));
    }
    const push = (refs: string[], ...more: string[]) =>
      this.#git(["push", "--quiet", ...more, "--", this.#addressFor(task), ...refs]);
    await this.#patiently(async () => {
      try {
        await push(names);
      } catch (error) {
        if (!isRejected(error)) throw error;
        const heads = await this.#heads(task, names);
        const left = names.filter((name) => !(name.startsWith(snapshotRefs(task)) && heads.has(name)));
        if (left.length > 0) await push(left, ...(await this.#leases(task, left, heads)));
      }
    });
  }

  /** The branches were moved by another process: over an older claim's commit ours goes, over a later one's never. */
  async #leases(task: string, names: string[], heads: Map<string, string>): Promise<string[]> {
    const { objects, refs } = this.#parts;
    const branches = names.filter((name) => name.startsWith(branchRefs(task)));
    const address = this.#addressFor(task);
    const theirs = branches.filter((name) => heads.has(name));
    if (theirs.length > 0) await this.#git(["fetch", "--quiet", "--no-write-fetch-head", "--", address, ...theirs]);
    objects.packAdded();
    const epochAt = (commit: string | null | undefined) =>
      commit ? epochOf(decodeCommit(objects.readAs("commit", commit)).message) : 0;
    return branches.map((name) => {
      const head = heads.get(name);
      if (epochAt(head) > epochAt(refs.read(name))) {
        const message = `branch ${name} was moved by a later claim of task ${task}; this work lost its claim`;
        throw fail("policy", "epoch.stale", message);
      }
      return `--force-with-lease=${name}:${head ?? ""}`;
    });
  }

  /** The remote's refs of these names, and where they point to. */
  async #heads(task: string, names: string[]): Promise<Map<string, string>> {
    const { stdout } = await this.#git(["ls-remote", "--quiet", "--", this.#addressFor(task), ...names]);
    const lines = stdout.toString("utf8").split("\n");
    return new Map(lines.flatMap((line) => (line === "" ? [] : [[line.slice(41), line.slice(0, 40)]])));
  }

  async #patiently(attempt: () => Promise<unknown>): Promise<void> {
    for (const pause of [...PAUSES_MS, null]) {
      try {
        await attempt();
        return;
      } catch (error) {
        if (!(error instanceof TerminalFailure) || error.failure.code !== "git.failed") throw error;
        if (pause === null) throw unreachable(this.#parts.remote, error);
        await sleep(pause);
      }
    }
  }

  #addressFor(task: string): string {
    return addressFor(this.#parts.remote, task);
  }

  #git(args: string[]) {
    const { remote, gitDirectory, path } = this.#parts;
    return git(args, { gitDirectory, path, env: accessTo(remote) });
  }
}

const isRejected = (error: unknown): boolean =>
  error instanceof TerminalFailure && /\[rejected\]|\[remote rejected\]/.test(error.failure.detail ?? "");
