import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fail } from "../domain/failure.ts";
import type { Owner } from "./checkout.ts";
import { type GitRun, git, STANDARD_PATH } from "./git.ts";

/**
 * The user's repository, accessed by plumbing that runs none of its hooks, filters or helpers. Only `user-branch.ts`
 * writes to it.
 */
export class UserRepository {
  readonly workTree: string;
  readonly #gitDirectory: string;

  private constructor(workTree: string, gitDirectory: string) {
    this.workTree = workTree;
    this.#gitDirectory = gitDirectory;
  }

  /** The repository that a directory lies in, and the path from its top to the directory: `packages/a/`, or nothing. */
  static find(directory: string): { repository: UserRepository; prefix: string } {
    const start = realpathSync(directory);
    for (let at = start; ; at = dirname(at)) {
      const repository = UserRepository.at(at);
      if (repository) return { repository, prefix: at === start ? "" : `${relative(at, start)}/` };
      if (at === dirname(at)) break;
    }
    const message = `${directory} is in no git repository, so there is no change to judge: run this in one`;
    throw fail("invalid-input", "prove.no-repository", message);
  }

  /**
   * The repository with this work tree; null if there is none. Submodules and further work trees have a `.git` file.
   */
  static at(workTree: string): UserRepository | null {
    const place = join(workTree, ".git");
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return isGitDirectory(place) ? new UserRepository(workTree, place) : null;
    if (!stats?.isFile() || stats.size > 10_000) return null;
    const named = /^gitdir: (.+)\n?$/.exec(readFileSync(place, "utf8"))?.[1];
    if (named === undefined) return null;
    const gitDirectory = resolve(workTree, named);
    return isGitDirectory(gitDirectory) ? new UserRepository(workTree, gitDirectory) : null;
  }

  /** The commit that a revision names; null if it names none. */
  async commit(revision: string): Promise<string | null> {
    const found = await this.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
    return found === "" ? null : found;
  }

  async mergeBase(a: string, b: string): Promise<string | null> {
    const found = await this.ask(["merge-base", a, b]);
    return found === "" ? null : (found.split("\n")[0] ?? null);
  }

  /** The branch that others start from: the remote's default, or a usual name. */
  async defaultBranch(): Promise<{ name: string; commit: string } | null> {
    const head = await this.ask(["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]);
    for (const name of [head, "origin/main", "origin/master", "main", "master"]) {
      const commit = name === "" ? null : await this.commit(name);
      if (commit !== null) return { name, commit };
    }
    return null;
  }

  async isShallow(): Promise<boolean> {
    return (await this.ask(["rev-parse", "--is-shallow-repository"])) === "true";
  }

  async setting(name: string): Promise<string> {
    return this.ask(["config", "--local", "--get", name]);
  }

  /** Which of these paths have an attribute that makes git change their line ends. */
  async convertedPaths(paths: string[]): Promise<Set<string>> {
    const args = ["-C", this.workTree, "check-attr", "-z", "--stdin", "text", "eol"];
    const { stdout } = await git(args, { ...this.run, stdin: paths.map((path) => `${path}\0`).join("") });
    const words = stdout.toString("utf8").split("\0");
    const found = new Set<string>();
    for (let at = 0; at + 2 < words.length; at += 3) {
      if (words[at + 2] !== "unspecified" && words[at + 2] !== "unset") found.add(words[at] ?? "");
    }
    return found;
  }

  async listCommit(commit: string): Promise<CommitEntry[]> {
    const { stdout } = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", commit], this.run);
    return records(stdout).flatMap((record) => {
      const [, mode = "", type = "", id = "", size = "", path = ""] =
        /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(record) ?? [];
      return path === "" ? [] : [{ mode, type, id, size: Number(size) || 0, path }];
    });
  }

  /** What git would commit after adding everything: tracked files, and others that are not ignored. */
  async listWorkTree(): Promise<WorkTreeEntry[]> {
    const args = ["-C", this.workTree, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"];
    const { stdout } = await git(args, this.run);
    const found = new Map<string, WorkTreeEntry>();
    for (const record of records(stdout)) {
      const path = record.slice(2);
      found.set(path, { path, left: record.startsWith("S "), tracked: !record.startsWith("?") });
    }
    return [...found.values()];
  }

  /** The submodules that the index names, with the commit of each. */
  async submodules(): Promise<Map<string, string>> {
    const { stdout } = await git(["-C", this.workTree, "ls-files", "-z", "-s"], this.run);
    return new Map(
      records(stdout).flatMap((record) => {
        const [, id = "", path = ""] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(record) ?? [];
        return path === "" ? [] : [[path, id] as const];
      }),
    );
  }

  /** Contents by id as they are stored, without filters and conversions. */
  async *contents(blobs: { id: string; size: number }[]): AsyncGenerator<[id: string, content: Buffer]> {
    for (const batch of batches(blobs)) {
      const stdin = batch.map(({ id }) => `${id}\n`).join("");
      const { stdout } = await git(["cat-file", "--batch"], { ...this.run, stdin });
      for (let at = 0; at < stdout.length; ) {
        const end = stdout.indexOf(10, at);
        const [id = "", type, size] = stdout.toString("latin1", at, end).split(" ");
        if (type !== "blob") throw missingObject(id);
        const from = end + 1;
        at = from + Number(size) + 1;
        yield [id, stdout.subarray(from, at - 1)];
      }
    }
  }

  async isAncestor(commit: string, of: string): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", commit, of];
    return (await git(args, { ...this.run, answers: () => true })).exitCode === 0;
  }

  /** Branches that are checked out in a work tree of the repository, as `refs/heads/main`. */
  async checkedOut(): Promise<Set<string>> {
    const listed = await this.demand(["worktree", "list", "--porcelain"]);
    return new Set([...listed.matchAll(/^branch (.+)$/gm)].map(([, ref = ""]) => ref));
  }

  /** The owner of the repository, if we are root and it belongs to somebody else. New files in it must be theirs. */
  get owner(): Owner | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const { uid, gid } = lstatSync(this.#gitDirectory);
    return uid === 0 ? undefined : { uid, gid };
  }

  /** For commands that change the repository. A non-zero exit is an error. */
  async demand(args: string[], given: { indexFile?: string; stdin?: string | Uint8Array } = {}): Promise<string> {
    const identity = ["-c", "user.name=Miracle", "-c", "user.email=miracle@localhost"];
    const { owner } = this;
    const { stdout } = await git([...identity, ...args], { ...this.run, ...given, ...(owner && { owner }) });
    return stdout.toString("utf8").trim();
  }

  /** Returns an empty text if git has no answer. */
  async ask(args: string[]): Promise<string> {
    const { exitCode, stdout } = await git(args, { ...this.run, answers: () => true });
    return exitCode === 0 ? stdout.toString("utf8").trim() : "";
  }

  /** How git is called here. */
  get run(): GitRun & { indexFile: string } {
    return {
      gitDirectory: this.#gitDirectory,
      workTree: this.workTree,
      indexFile: join(this.#gitDirectory, "index"),
      path: STANDARD_PATH,
    };
  }
}

export interface WorkTreeEntry {
  path: string;
  /** A sparse checkout leaves the file out. Its absence does not mean that it was deleted. */
  left: boolean;
  tracked: boolean;
}

export interface CommitEntry {
  mode: string;
  type: string;
  id: string;
  size: number;
  path: string;
}

const BATCH_BYTES = 64e6;

function* batches(blobs: { id: string; size: number }[]): Generator<{ id: string; size: number }[]> {
  let batch: { id: string; size: number }[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    if (batch.length > 0 && bytes + blob.size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(blob);
    bytes += blob.size;
  }
  if (batch.length > 0) yield batch;
}

const records = (output: Buffer): string[] =>
  output
    .toString("utf8")
    .split("\0")
    .filter((record) => record !== "");

const isGitDirectory = (path: string): boolean =>
  lstatSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined;

const missingObject = (id: string) =>
  fail(
    "environment",
    "prove.missing-object",
    `the repository lacks object ${id} (a shallow or partial clone?): fetch it first, with git fetch --unshallow`,
  );
