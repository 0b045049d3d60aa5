import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fail } from "../../domain/failure.ts";
import type { ScannedFile } from "../../safety/scan/scanned-file.ts";
import { git, STANDARD_PATH } from "../../workspace/git.ts";
import { walkFiles } from "../../workspace/walk-files.ts";
import type { Terminal } from "../terminal/terminal.ts";

const MOST_FILES = 100_000;
/** Enough to see that a file is too large to be read as code. */
const MOST_BYTES = 8 << 20;

/** The files that are meant: each path itself, or all below a directory, without dependencies and caches. */
export function filesToScan(paths: readonly string[], directory: string): ScannedFile[] {
  const found = new Map<string, ScannedFile>();
  for (const path of paths) {
    const absolute = resolve(directory, path);
    const kind = kindOf(absolute, path);
    const names =
      kind === "directory"
        ? walkFiles(absolute, "", { depth: 64, limit: MOST_FILES, directories: false, shows: () => true })
        : [""];
    for (const name of names) {
      const file = join(absolute, name);
      const content = read(file);
      const shown = relative(directory, file).split(sep).join("/");
      if (content !== null) found.set(file, { path: shown, content });
    }
  }
  return [...found.values()];
}

/** The same files as they were at a revision; what was not there is left out. */
export async function filesAt(
  revision: string,
  files: readonly ScannedFile[],
  { directory, env }: Terminal,
): Promise<ScannedFile[]> {
  const { root, gitDirectory } = repositoryOf(directory);
  const run = { gitDirectory, path: env.PATH ?? STANDARD_PATH };
  const answers = (exitCode: number) => exitCode === 128;
  const commit = await git(["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`], { ...run, answers });
  if (commit.exitCode !== 0) {
    throw fail("invalid-input", "scan.no-revision", `git knows no revision "${revision}" here; \`git log\` lists them`);
  }
  const before: ScannedFile[] = [];
  for (const { path } of files) {
    const inside = relative(root, resolve(directory, path)).split(sep).join("/");
    const name = `${commit.stdout.toString("utf8").trim()}:${inside}`;
    const blob = await git(["cat-file", "blob", name], { ...run, answers });
    if (blob.exitCode === 0) before.push({ path, content: blob.stdout.toString("utf8") });
  }
  return before;
}

/** The next `.git` above: a directory, or in a worktree and a submodule a file that says where it is. */
function repositoryOf(directory: string): { root: string; gitDirectory: string } {
  for (let root = directory; ; root = resolve(root, "..")) {
    const own = join(root, ".git");
    const found = lstatSync(own, { throwIfNoEntry: false });
    if (found?.isDirectory()) return { root, gitDirectory: own };
    const named = found?.isFile() ? /^gitdir: ([^\n]+)\n?$/.exec(read(own) ?? "")?.[1] : undefined;
    if (named !== undefined) return { root, gitDirectory: resolve(root, named) };
    if (root === resolve(root, "..")) {
      throw fail("invalid-input", "scan.no-git", `--base needs a git repository, and ${directory} is in none`);
    }
  }
}

function kindOf(absolute: string, path: string): "file" | "directory" {
  const found = lstatSync(absolute, { throwIfNoEntry: false });
  if (found?.isDirectory()) return "directory";
  if (found?.isFile()) return "file";
  const what = found ? "is neither a file nor a directory (links are not followed)" : "does not exist";
  throw fail("invalid-input", "scan.no-file", `${path} ${what}`);
}

/** Links, devices and what is not readable hold nothing to scan. */
function read(file: string): string | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (!found.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(found.size, MOST_BYTES));
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
