import { chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import type { Faults } from "../faults.ts";
import { type FileState, intentBetween } from "./apply-intent.ts";
import type { ArtifactStore } from "./artifact-store.ts";
import { type BranchIntent, refOf } from "./branch-intent.ts";
import { EXECUTABLE, encodeCommit, FILE, LINK, OBJECT_ID } from "./git-objects.ts";
import { makeScratch } from "./scratch-directory.ts";
import { UserRepository } from "./user-repository.ts";

export interface WantedBranch {
  branch: string;
  base: string;
  result: string;
  message: string;
  at: number;
}

/**
 * Makes a commit of the change on top of HEAD, without a name yet: git itself removes such an object some day. It does
 * not look at the user's files or index, and runs no hook. Throws if the branch exists, or if a changed file has
 * uncommitted edits, because the commit would include them.
 */
export async function planBranch(store: ArtifactStore, directory: string, wanted: WantedBranch): Promise<BranchIntent> {
  const { branch, base, result, message, at } = wanted;
  const { repository, prefix } = repositoryOf(directory);
  await refuseTaken(repository, branch);
  const parent = await repository.commit("HEAD");
  if (parent !== null && !OBJECT_ID.test(parent)) {
    throw fail("environment", "branch.format", "a branch can be made only in a repository whose ids are SHA-1");
  }
  const changes = intentBetween(store.objects, base, result).changes.map((change) => ({
    ...change,
    path: prefix + change.path,
  }));
  const committed = await entriesOf(
    repository,
    parent,
    changes.map(({ path }) => path),
  );
  const edited = changes.filter(({ path, before }) => committed.get(path) !== entryOf(before));
  if (edited.length > 0) throw notCommitted(edited.map(({ path }) => path));
  const intent = { version: 1 as const, branch, parent, base, result, changes, message, at };
  return { ...intent, commit: await writeCommit(store, repository, intent) };
}

/** Gives the commit its name, in one atomic operation. May be repeated. */
export async function makeBranch(
  intent: BranchIntent,
  directory: string,
  store: ArtifactStore,
  faults: Faults,
): Promise<void> {
  const { repository } = repositoryOf(directory);
  const ref = refOf(intent.branch);
  if ((await repository.commit(ref)) === intent.commit) return;
  await refuseTaken(repository, intent.branch);
  // Long after a crash git may have removed the unnamed commit.
  await writeCommit(store, repository, intent);
  faults.reach("branch:ref");
  const nothing = "0".repeat(40);
  await repository.demand(["update-ref", "-m", "miracle: result", ref, intent.commit, nothing]);
  faults.reach("branch:ref");
}

/** Why a branch of ours was kept. */
export type KeptBranch = "built upon" | "checked out";

/**
 * Removes a branch that nobody has touched. Null if it is removed, or was not there. A branch that a person has built
 * on, or has checked out, is theirs and stays.
 */
export async function removeBranch(
  intent: BranchIntent,
  directory: string,
  faults: Faults,
): Promise<KeptBranch | null> {
  const repository = findRepository(directory);
  const ref = refOf(intent.branch);
  const now = await repository?.commit(ref);
  if (!repository || !now) return null;
  if (now !== intent.commit) return (await repository.isAncestor(intent.commit, now)) ? "built upon" : null;
  if ((await repository.checkedOut()).has(ref)) return "checked out";
  faults.reach("branch:ref");
  // Only if it still points to our commit: git compares and deletes in one operation.
  await repository.demand(["update-ref", "-d", ref, intent.commit]);
  faults.reach("branch:ref");
  return null;
}

/** Called before a task begins: the branch that the person asked for must be possible. */
export async function checkBranch(directory: string, branch: string): Promise<void> {
  await refuseTaken(repositoryOf(directory).repository, branch);
}

async function refuseTaken(repository: UserRepository, branch: string): Promise<void> {
  // Git answers `@{-1}` with another name, and reserves HEAD.
  if (/^(?:-.*|HEAD)?$/.test(branch) || (await repository.ask(["check-ref-format", "--branch", branch])) !== branch) {
    throw fail("invalid-input", "branch.name", `${JSON.stringify(branch)} is no name for a branch`);
  }
  const ref = refOf(branch);
  // Git stores names as paths, so `a` and `a/b` cannot both exist.
  const names = (await repository.demand(["for-each-ref", "--format=%(refname)", "refs/heads"])).split("\n");
  const inTheWay = names.find((name) => name === ref || name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`));
  if (inTheWay) throw taken(inTheWay.slice("refs/heads/".length));
}

async function writeCommit(
  store: ArtifactStore,
  repository: UserRepository,
  { parent, changes, message, at }: Omit<BranchIntent, "commit">,
): Promise<string> {
  for (const { after } of changes) if (after) await write("blob", store.readBlob(after.id));
  const tree = await writeTree(repository, parent, changes);
  const parents = parent === null ? [] : [parent];
  return write("commit", encodeCommit({ tree, parents, at, message }));

  function write(type: "blob" | "commit", content: Buffer): Promise<string> {
    return repository.demand(["hash-object", "-w", "-t", type, "--no-filters", "--stdin"], { stdin: content });
  }
}

/** Uses a separate index: the person's own holds what they are about to commit. */
async function writeTree(
  repository: UserRepository,
  parent: string | null,
  changes: BranchIntent["changes"],
): Promise<string> {
  const scratch = makeScratch("branch");
  try {
    const { owner } = repository;
    if (owner) chownSync(scratch, owner.uid, owner.gid);
    const indexFile = join(scratch, "index");
    await repository.demand(parent === null ? ["read-tree", "--empty"] : ["read-tree", parent], { indexFile });
    const gone = changes.filter(({ after }) => after === null).map(({ path }) => `0 ${"0".repeat(40)}\t${path}\0`);
    const put = changes.flatMap(({ path, after }) => (after ? [`${entryOf(after)}\t${path}\0`] : []));
    await repository.demand(["update-index", "-z", "--index-info"], { indexFile, stdin: [...gone, ...put].join("") });
    return await repository.demand(["write-tree"], { indexFile });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Mode and id, as in git's lists. */
function entryOf(state: FileState | null): string | undefined {
  if (!state) return undefined;
  const mode = state.kind === "link" ? LINK : (state.permissions & 0o100) !== 0 ? EXECUTABLE : FILE;
  return `${mode.toString(8)} ${state.id}`;
}

async function entriesOf(
  repository: UserRepository,
  commit: string | null,
  paths: string[],
): Promise<Map<string, string>> {
  if (commit === null) return new Map();
  const wanted = new Set(paths);
  const entries = (await repository.listCommit(commit)).filter(({ path }) => wanted.has(path));
  return new Map(entries.map(({ path, mode, id }) => [path, `${mode} ${id}`]));
}

function findRepository(directory: string): UserRepository | null {
  try {
    return UserRepository.find(directory).repository;
  } catch {
    return null;
  }
}

function repositoryOf(directory: string): { repository: UserRepository; prefix: string } {
  try {
    return UserRepository.find(directory);
  } catch (cause) {
    const message = `${directory} is in no git repository, so no branch can be made there: leave out --branch`;
    throw fail("invalid-input", "branch.no-repository", message, { cause });
  }
}

const taken = (branch: string) =>
  fail("policy", "branch.exists", `there is a branch ${branch} already: give another name with --branch`);

const notCommitted = (paths: string[]) =>
  fail(
    "policy",
    "branch.uncommitted",
    `no branch was made: ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""} had changes that are not committed (or git converts them), and they would be taken along; commit them and start again, or use \`miracle apply\``,
    { detail: paths.join("\n") },
  );
