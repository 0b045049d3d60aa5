import type { ArtifactStore, Owner } from "../../workspace/artifact-store.ts";
import { removeTree } from "../../workspace/remove-tree.ts";
import { StatCache } from "../../workspace/stat-cache.ts";

/**
 * A directory that holds one tree of the task at a time. It is a cache of the artifact store: whatever it holds, `hold`
 * makes it equal to the tree that the journal names, so an effect that was cut off can be run again.
 */
export class Checkout {
  readonly directory: string;
  readonly #task: string;
  readonly #artifacts: ArtifactStore;
  readonly #owner: Owner | null;
  readonly #cache: StatCache;
  /** Undefined while unknown: at the start, and while something may be writing. */
  #tree: string | undefined;

  constructor(task: string, directory: string, artifacts: ArtifactStore, owner: Owner | null) {
    this.#task = task;
    this.directory = directory;
    this.#artifacts = artifacts;
    this.#owner = owner;
    this.#cache = new StatCache(directory);
  }

  /** Makes the directory equal to this tree. */
  async hold(tree: string): Promise<void> {
    if (this.#tree === tree) return;
    this.#tree = undefined;
    const owner = this.#owner ?? undefined;
    await this.#artifacts.checkout(tree, this.directory, { cache: this.#cache, ...(owner && { owner }) });
    this.#tree = tree;
  }

  /**
   * Lays this tree out in an empty directory. `hold` leaves dependency directories where they are, and code that ran here
   * may have put something into one: where a verdict is made, nothing of an earlier run may be left.
   */
  async renew(tree: string): Promise<void> {
    removeTree(this.directory);
    this.#cache.root = null;
    this.#tree = undefined;
    await this.hold(tree);
    this.#tree = undefined;
  }

  /** Leaves nothing behind: what was run here is nobody's to look at. */
  clear(): void {
    removeTree(this.directory);
    this.#cache.root = null;
    this.#tree = undefined;
  }

  /** Something is about to write here: what the directory holds is unknown until the next `snapshot`. */
  expectWrites(): void {
    this.#tree = undefined;
  }

  /** The tree the directory holds now. */
  async snapshot(): Promise<string> {
    const { id } = await this.#artifacts.snapshot(this.#task, this.directory, { cache: this.#cache });
    this.#tree = id;
    return id;
  }
}

/** The checkouts of one run, by name: each keeps what it knows of its directory from use to use. */
export class Checkouts {
  readonly #open: (name: string) => Checkout;
  readonly #opened = new Map<string, Checkout>();

  constructor(open: (name: string) => Checkout) {
    this.#open = open;
  }

  named(name: string): Checkout {
    const known = this.#opened.get(name) ?? this.#open(name);
    this.#opened.set(name, known);
    return known;
  }
}
