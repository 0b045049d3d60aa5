import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../domain/failure.ts";
import { OBJECT_ID } from "./git-objects.ts";

const CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logAllRefUpdates = false
	hooksPath = /dev/null
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** Attributes of a workspace could run the user's filters here and change line ends. */
const ATTRIBUTES = "* -text -filter -ident -working-tree-encoding\n";

/** Creates the files of the bare repository. The file that makes git accept it comes last. May be called repeatedly. */
export function createRepository(gitDirectory: string): void {
  if (existsSync(join(gitDirectory, "HEAD"))) return;
  for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"]) {
    mkdirSync(join(gitDirectory, name), { recursive: true });
  }
  replaceFile(join(gitDirectory, "config"), CONFIG);
  replaceFile(join(gitDirectory, "info/attributes"), ATTRIBUTES);
  replaceFile(join(gitDirectory, "HEAD"), "ref: refs/heads/main\n");
}

/** Branches and other refs in git's own form: loose files first, then `packed-refs`. */
export class Refs {
  readonly #directory: string;
  readonly #written = new Set<string>();

  constructor(gitDirectory: string) {
    this.#directory = gitDirectory;
  }

  read(name: string): string | null {
    const path = join(this.#directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
      const id = readFileSync(path, "latin1").trim();
      // A torn file after a power cut counts as absent.
      if (OBJECT_ID.test(id)) return id;
    }
    const line = this.#packed().find((packed) => packed.endsWith(` ${name}`));
    return line?.slice(0, 40) ?? null;
  }

  write(name: string, id: string): void {
    const path = join(this.#directory, name);
    try {
      replaceFile(path, `${id}\n`);
    } catch {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, `${id}\n`);
    }
  }

  /** For refs whose name contains their value. They are written once and never change. */
  ensure(name: string, id: string): void {
    if (this.#written.has(name)) return;
    if (!existsSync(join(this.#directory, name))) this.write(name, id);
    this.#written.add(name);
  }

  /** Names below a prefix such as `refs/heads/ai/generated/t1`, sorted. */
  list(prefix: string): { name: string; id: string }[] {
    const names = new Set(this.#packed().map((line) => line.slice(41)));
    const top = join(this.#directory, prefix);
    for (const entry of existsSync(top) ? readdirSync(top, { recursive: true, withFileTypes: true }) : []) {
      const name = join(entry.parentPath, entry.name).slice(this.#directory.length + 1);
      if (entry.isFile() && !isTemporary(entry.name)) names.add(name);
    }
    const wanted = [...names].filter((name) => name.startsWith(`${prefix}/`)).sort();
    return wanted.flatMap((name) => {
      const id = this.read(name);
      return id === null ? [] : [{ name, id }];
    });
  }

  deleteBelow(prefix: string): void {
    rmSync(join(this.#directory, prefix), { recursive: true, force: true });
    const packed = this.#packed();
    const kept = packed.filter((line) => !line.slice(41).startsWith(`${prefix}/`));
    if (kept.length < packed.length) {
      const text = ["# pack-refs with: sorted", ...kept, ""].join("\n");
      replaceFile(join(this.#directory, "packed-refs"), text);
    }
    this.#written.clear();
  }

  #packed(): string[] {
    const path = join(this.#directory, "packed-refs");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => /^[0-9a-f]{40} /.test(line));
  }
}

/** Task and todo ids become parts of refs and paths. */
export function checkRefPart(part: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(part)) return part;
  throw fail("invalid-input", "artifact.name", `${JSON.stringify(part)} cannot be part of a branch name`);
}

const isTemporary = (name: string): boolean => name.endsWith(".lock");

/** Git never takes a `.lock` file for a ref. Its name holds our process id, so two writers never share one. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${Math.round(performance.now() * 1000)}.lock`;
  writeFileSync(temporary, text, { flag: "wx" });
  renameSync(temporary, path);
}
