import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fail } from "../domain/failure.ts";

/**
 * Where a client may have work done: in the directories that the person named, and below them. Links are resolved, so
 * that none of them leads out.
 */
export class Places {
  readonly #roots: [string, ...string[]];

  constructor(listed: [string, ...string[]], home: string) {
    const [first, ...more] = listed.map((path) => checkedRoot(path, home));
    if (first === undefined) throw new Error("no directory is listed");
    this.#roots = [first, ...more];
  }

  /** The directory that a client means; without a word of it the only one there is. */
  pathOf(wanted: string | undefined): string {
    const roots = this.#roots;
    if (wanted === undefined) {
      if (roots.length === 1) return roots[0];
      throw fail("invalid-input", "directory.which", `directory: say which one: ${roots.join(", ")}`);
    }
    const found = realDirectory(resolve(roots[0], wanted));
    // Of what lies outside nothing is told, not even whether it is there.
    if (found !== null && this.has(found)) return found;
    throw fail(
      "invalid-input",
      "directory.outside",
      `directory: ${wanted} is no directory in ${roots.join(", ")}; whoever starts the server names others: miracle mcp --dir PATH`,
    );
  }

  /** Whose settings hold where no directory is named. */
  get first(): string {
    return this.#roots[0];
  }

  has(directory: string): boolean {
    return this.#roots.some((root) => isInside(root, directory));
  }
}

/** Clients start servers in the root or in the home directory: nobody means all that lies there. */
function checkedRoot(path: string, home: string): string {
  const found = realDirectory(path);
  if (found === null) throw fail("invalid-input", "directory.missing", `--dir ${path}: there is no such directory`);
  if (found !== resolve("/") && found !== realDirectory(home)) return found;
  throw fail("invalid-input", "directory.whole", `${found} is no project: name one: miracle mcp --dir PATH`);
}

function realDirectory(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
