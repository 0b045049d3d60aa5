import { realpathSync, statSync } from "node:fs";
import { fail } from "../../domain/failure.ts";

/** Where a server may work: names that requests use, and paths that only the settings know. */
export class Directories {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;

  private constructor(paths: Map<string, string>) {
    this.#paths = paths;
    this.#names = new Map([...paths].map(([name, path]) => [path, name]));
  }

  /** Links are resolved once, here: what a link leads to later changes nothing. */
  static open(listed: Record<string, string>): Directories {
    const paths = new Map<string, string>();
    for (const [name, path] of Object.entries(listed)) {
      if (!isDirectory(path)) throw fail("invalid-input", "directory.missing", `${name}: ${path} is no directory`);
      const real = realpathSync(path);
      const same = [...paths].find(([, other]) => other === real);
      if (same)
        throw fail("invalid-input", "directory.twice", `${same[0]} and ${name} are the same directory: ${real}`);
      paths.set(name, real);
    }
    return new Directories(paths);
  }

  get names(): string[] {
    return [...this.#paths.keys()];
  }

  get paths(): string[] {
    return [...this.#paths.values()];
  }

  /** Undefined: not one of this server's. */
  nameOf(path: string): string | undefined {
    return this.#names.get(path);
  }

  /** The path behind a name. Without a name: the only directory there is. */
  pathOf(name: string | undefined): string {
    const wanted = name ?? (this.#paths.size === 1 ? this.names[0] : undefined);
    if (wanted === undefined) {
      throw fail("invalid-input", "directory.which", `directory: say which one: ${this.names.join(", ")}`);
    }
    const path = this.#paths.get(wanted);
    if (path === undefined) {
      throw fail(
        "invalid-input",
        "directory.unknown",
        `this server does not work for it; it does for ${this.names.join(", ")}`,
      );
    }
    if (!isDirectory(path)) throw fail("environment", "directory.missing", `the directory of ${wanted} is gone`);
    return path;
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
