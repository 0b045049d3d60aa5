import type { ArtifactStore, Owner } from "../workspace/artifact-store.ts";
import { StatCache } from "../workspace/stat-cache.ts";

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
