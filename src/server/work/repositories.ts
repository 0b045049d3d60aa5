import { execFile } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fail } from "../../domain/failure.ts";

export interface RepositoryPlace {
  /** Git addresses by name. Only settings name them. */
  listed: Record<string, string>;
  /** Where their clones lie. */
  root: string;
  /** Git reads its own configuration and credentials from it. */
  env: Record<string, string | undefined>;
}

/** Branches with results begin so. */
export const RESULTS = "miracle/";

/**
 * Clones of repositories that a server works for. Nobody edits a clone: it follows its origin before each new task, results
 * are branches, and these are pushed. Pushing is repeated until it succeeds, so that a server may die at any moment.
 */
export class Repositories {
  readonly #place: RepositoryPlace;
  /** Links are resolved, as those of directories are. */
  readonly #root: string;
  readonly #following = new Map<string, Promise<unknown>>();

  private constructor(place: RepositoryPlace) {
    this.#place = place;
    const isUsed = Object.keys(place.listed).length > 0;
    if (isUsed) mkdirSync(place.root, { recursive: true });
    this.#root = isUsed ? realpathSync(place.root) : place.root;
  }

  /** Clones what is not here yet, and pushes what an earlier process left. */
  static async open(place: RepositoryPlace, report: (error: unknown) => void): Promise<Repositories> {
    const repositories = new Repositories(place);
    for (const [name, address] of Object.entries(place.listed)) {
      const path = repositories.#pathOf(name);
      if (existsSync(path)) await repositories.push(path).catch(report);
      else await repositories.#clone(address, path);
    }
    return repositories;
  }

  /** Clones by name. */
  get paths(): Record<string, string> {
    return Object.fromEntries(Object.keys(this.#place.listed).map((name) => [name, this.#pathOf(name)]));
  }

  has(path: string): boolean {
    return Object.values(this.paths).includes(path);
  }

  /** Makes the clone what its origin is now. One at a time: git locks its files. */
  async follow(path: string): Promise<void> {
    await this.#alone(path, async () => {
      await this.#git(["fetch", "--quiet", "--prune", "origin"], path);
      await this.#git(["remote", "set-head", "origin", "--auto"], path);
      await this.#git(["checkout", "--quiet", "--force", "--detach", "origin/HEAD"], path);
      await this.#git(["clean", "--quiet", "-ffdx"], path);
    });
  }

  /** Pushes all results. What is there already is not sent again. */
  async push(path: string): Promise<void> {
    await this.#alone(path, async () => {
      const { stdout } = await this.#git(["for-each-ref", "--format=%(refname)", `refs/heads/${RESULTS}`], path);
      const refs = stdout.split("\n").filter((ref) => ref !== "");
      if (refs.length > 0) await this.#git(["push", "--quiet", "origin", ...refs.map((ref) => `${ref}:${ref}`)], path);
    });
  }

  #pathOf(name: string): string {
    return join(this.#root, name);
  }

  /** Beside its place first: a clone that broke off is none. */
  async #clone(address: string, path: string): Promise<void> {
    const making = `${path}.${process.pid}`;
    rmSync(making, { recursive: true, force: true });
    await this.#git(["clone", "--quiet", "--no-recurse-submodules", "--", address, making], this.#root);
    if (existsSync(path)) rmSync(making, { recursive: true, force: true });
    else renameSync(making, path);
  }

  #alone<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#following.get(path) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#following.set(
      path,
      done.catch(() => {}),
    );
    return done;
  }

  async #git(args: string[], cwd: string): Promise<{ stdout: string }> {
    const guarded = ["-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", ...args];
    const env = { ...this.#place.env, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
    try {
      return await promisify(execFile)("git", guarded, { cwd, env, timeout: 600_000, maxBuffer: 1 << 24 });
    } catch (error) {
      const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : "";
      // An address may hold a password.
      const why = String(said).replace(/\/\/[^/@\s]*@/g, "//");
      throw fail("environment", "repository.git", `git ${args[0]} failed: ${why}`, { cause: error });
    }
  }
}
