import type { ArtifactStore, Owner } from "../../workspace/artifact-store.ts";
import { removeTree } from "../../workspace/remove-tree.ts";
import { StatCache } from "../../workspace/stat-cache.ts";

/**
 * A directory that holds one tree of the task at a time. It is a cache of the artifact store: `hold` makes it equal to
 * the tree that the journal names, whatever it held before. So an effect that was cut off can run again.
 */
export class Checkout {
  readonly directory: string;
  readonly #task: string;
  readonly #artifacts: ArtifactStore;
  readonly #owner: Owner | null;
  readonly #cache: StatCache;
  /** Undefined while the content is unknown: at the start, and while something may write. */
  #tree: string | undefined;

  constructor(task: string, directory: string, artifacts: ArtifactStore, owner: Owner | null) {
    this.#task = task;
    this.directory = directory;
    this.#artifacts = artifacts;
    this.#owner = owner;
    this.#cache = new StatCache(directory);
  }

  async hold(tree: string): Promise<void> {
    if (this.#tree === tree) return;
    this.#tree = undefined;
    const owner = this.#owner ?? undefined;
    await this.#artifacts.checkout(tree, this.directory, { cache: this.#cache, ...(owner && { owner }) });
    this.#tree = tree;
  }

  /**
   * Lays this tree out in an empty directory. `hold` keeps dependency directories, and code that ran here may have
   * written into them. A verdict needs a directory without anything from an earlier run.
   */
  async renew(tree: string): Promise<void> {
    removeTree(this.directory);
    this.#cache.root = null;
    this.#tree = undefined;
    await this.hold(tree);
    this.#tree = undefined;
  }

  /** Removes the directory, so that nobody can look at what ran here. */
  clear(): void {
    removeTree(this.directory);
    this.#cache.root = null;
    this.#tree = undefined;
  }

  /** Must be called before anything writes here. The content counts as unknown until the next `snapshot`. */
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

/** The checkouts of one run, by name. Each one keeps its knowledge of its directory between uses. */
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
