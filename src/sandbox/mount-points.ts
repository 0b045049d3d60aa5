import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { type Mount, WORKSPACE } from "./sandbox.ts";

/**
 * A mount inside the workspace needs a directory to cover. The directory is made here and removed after the last
 * command that uses it, so that it never appears as a change. Invariant: no link of the workspace is followed, because
 * untrusted code wrote what is below.
 */
export class MountPoints {
  readonly #users = new Map<string, number>();

  /** Makes the directories that these mounts cover. Call the returned function when the command has ended. */
  prepare(workspace: string, mounts: Mount[]): () => void {
    const used: string[] = [];
    const release = () => {
      for (const path of used.toReversed()) this.#release(path);
    };
    try {
      for (const { to } of mounts) {
        if (!to.startsWith(`${WORKSPACE}/`)) continue;
        let path = workspace;
        for (const name of to.slice(WORKSPACE.length + 1).split("/")) {
          path = join(path, name);
          if (this.#make(path, to)) used.push(path);
        }
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** True if we made the directory and must remove it. */
  #make(path: string, target: string): boolean {
    const users = this.#users.get(path);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) {
      throw fail("policy", "sandbox.mount", `${target} cannot be mounted: ${path} is not a directory; remove it`);
    }
    if (stats && users === undefined) return false;
    if (!stats) mkdirSync(path);
    this.#users.set(path, (users ?? 0) + 1);
    return true;
  }

  #release(path: string): void {
    const users = (this.#users.get(path) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(path, users);
      return;
    }
    this.#users.delete(path);
    try {
      rmdirSync(path);
    } catch {
      // Not empty: the command wrote something beside the mount, which is an ordinary change.
    }
  }
}
