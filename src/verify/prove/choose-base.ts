import { fail } from "../../domain/failure.ts";
import type { UserRepository } from "../../workspace/user-repository.ts";

/** Where the change starts. A commit of null is the empty tree: everything is new. */
interface Base {
  commit: string | null;
  /** For people: `1a2b3c4 (merge base with main)`. */
  since: string;
  /** Where nothing is uncommitted and nobody said what to judge: `abc1234 "subject"`. */
  lastCommit?: string;
}

/**
 * The revision that was asked for, or what a person would mean: on a branch of its own, all of the branch; otherwise what
 * is not committed yet; and where everything is committed, the last commit.
 */
export async function chooseBase(
  repository: UserRepository,
  asked: string | undefined,
  isClean: (head: string) => Promise<boolean>,
): Promise<Base> {
  if (asked !== undefined) return askedBase(repository, asked);
  const head = await repository.commit("HEAD");
  if (head === null) return { commit: null, since: "the beginning (there is no commit yet)" };
  const main = await repository.defaultBranch();
  const fork = main && (await repository.mergeBase(head, main.commit));
  if (main && fork !== null && fork !== head) return named(fork, `merge base with ${main.name}`);
  if (!(await isClean(head))) return named(head, "HEAD: what is not committed yet");
  const lastCommit = await toldCommit(repository, head);
  const parent = await repository.commit("HEAD^");
  if (parent !== null) return { ...named(parent, "the commit before HEAD: nothing is uncommitted"), lastCommit };
  if (await repository.isShallow()) throw shallow("the commit before HEAD");
  return { commit: null, since: "the beginning (HEAD is the first commit)", lastCommit };
}

async function toldCommit(repository: UserRepository, commit: string): Promise<string> {
  const subject = await repository.ask(["log", "-1", "--no-show-signature", "--format=%s", commit]);
  return `${commit.slice(0, 7)} "${subject}"`;
}

async function askedBase(repository: UserRepository, asked: string): Promise<Base> {
  const commit = await repository.commit(asked);
  if (commit !== null) return named(commit, asked);
  if (await repository.isShallow()) throw shallow(asked);
  const message = `${asked} names no commit of ${repository.workTree}: give a branch, a tag or a commit with --base`;
  throw fail("invalid-input", "prove.revision", message);
}

const named = (commit: string, why: string): Base => ({
  commit,
  since: commit.startsWith(why) ? commit.slice(0, 10) : `${commit.slice(0, 10)} (${why})`,
});

const shallow = (what: string) =>
  fail(
    "environment",
    "prove.shallow",
    `${what} is not in this clone, which is shallow: fetch the history first (git fetch --unshallow; in CI a fetch depth of 0)`,
  );
