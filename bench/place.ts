import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { droppedIdentity } from "../src/sandbox/identity.ts";
import { CheckoutDirectories } from "../src/workspace/checkout-directory.ts";

/** The directories of one benchmark: a home, Miracle's data, projects. Gone when it ends. */
export class Place implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "miracle-bench-"));
  readonly data = join(this.root, "data");
  readonly #others: string[] = [];
  #projects = 0;

  constructor() {
    mkdirSync(join(this.root, "home"));
  }

  /** What every process gets: nothing of the caller's, no key, no config. */
  get env(): Record<string, string> {
    const home = join(this.root, "home");
    return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, MIRACLE_HOME: this.data, LANG: "C.UTF-8" };
  }

  /** Another place for Miracle's data than the one of all other rows. */
  otherData(name: string): string {
    const data = this.directory(name);
    this.#others.push(data);
    return data;
  }

  directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** One that sandboxed code, which is another user's, can reach. */
  openDirectory(name: string): string {
    chmodSync(this.root, 0o755);
    return this.directory(name);
  }

  /** A new directory with these files. */
  project(files: Record<string, string>): string {
    this.#projects += 1;
    const directory = this.directory(`project-${this.#projects}`);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    return directory;
  }

  [Symbol.dispose](): void {
    // As root, checkouts live outside of the data directory.
    const roots = [this.data, ...this.#others].map((data) => CheckoutDirectories.open(data, droppedIdentity()).root);
    for (const directory of [...roots, this.root]) rmSync(directory, { recursive: true, force: true });
  }
}
