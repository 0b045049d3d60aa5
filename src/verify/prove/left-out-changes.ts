import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { AccountLine } from "../../domain/evidence/account.ts";
import { directoryLeftOut, holdsPackages, isSecretPath, isStorablePath } from "../../workspace/left-out.ts";
import { UserRepository } from "../../workspace/user-repository.ts";
import { readWorkFile } from "./read-trees.ts";

interface Place {
  repository: UserRepository;
  /** The commit that the change starts from; null: the empty tree. */
  commit: string | null;
  /** From the top of the repository to the project: `packages/a/`, or nothing. */
  prefix: string;
  /** Paths that `.miracleignore` names. */
  ignored: (path: string) => boolean;
}

/**
 * Tracked files that differ and that no snapshot holds: dependencies, caches, secrets, names that cannot be stored, and
 * submodules that are not there. They are part of the change, and nothing can be said of them.
 */
export async function leftOutChanges({ repository, commit, prefix, ignored }: Place): Promise<AccountLine[]> {
  const below = (path: string) => (path.startsWith(prefix) ? path.slice(prefix.length) : null);
  const committed = commit === null ? [] : await repository.listCommit(commit);
  const links = new Set<string>();
  const why = (path: string) =>
    whyLeftOut(path, ignored) ?? (links.has(path) ? "a link in the place of packages is in neither tree" : null);
  const before = new Map<string, string>();
  for (const { type, mode, id, path } of committed) {
    const own = below(path);
    if (own !== null && mode === "120000" && holdsPackages(own)) links.add(own);
    if (own !== null && type === "blob" && why(own) !== null) before.set(own, id);
  }
  const now = new Set<string>();
  for (const { path, tracked, left } of await repository.listWorkTree()) {
    const own = below(path);
    if (own !== null && holdsPackages(own) && isLink(join(repository.workTree, path))) links.add(own);
    if (own === null || why(own) === null) continue;
    if (left) before.delete(own);
    else if (tracked) now.add(own);
  }
  const differing = [...new Set([...before.keys(), ...now])].filter((path) => {
    const content = now.has(path) ? readWorkFile(repository.workTree, prefix + path) : null;
    const old = before.get(path);
    return content === null ? old !== undefined : old !== blobId(content, old?.length ?? 40);
  });
  const submodules = new Map(
    committed.flatMap(({ type, id, path }) => (type === "commit" ? [[path, id] as const] : [])),
  );
  return [...grouped(differing, why), ...(await movedSubmodules(repository, submodules, below))];
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function whyLeftOut(path: string, ignored: (path: string) => boolean): string | null {
  if (ignored(path)) return ".miracleignore leaves it out";
  if (isSecretPath(path)) return "its name looks secret, so that it is in neither tree";
  if (isStorablePath(path)) return null;
  const directory = leftOutDirectory(path);
  return directory === null ? "its name cannot be stored" : "it lies where no snapshot looks";
}

/** The directory that a snapshot does not enter: `lib/node_modules/`. */
function leftOutDirectory(path: string): string | null {
  const names = path.split("/").slice(0, -1);
  const at = names.findIndex((name) => directoryLeftOut(name) !== null);
  return at === -1 ? null : `${names.slice(0, at + 1).join("/")}/`;
}

/** One line for each directory that is left out, and for each other file. */
function grouped(paths: readonly string[], why: (path: string) => string | null): AccountLine[] {
  const groups = Map.groupBy(paths, (path) => leftOutDirectory(path) ?? path);
  return [...groups].map(([path, own]) => ({
    path,
    standing: "not-judged",
    why: `${own.length === 1 ? "a tracked file differs" : `${own.length} tracked files differ`}, and ${why(own[0] ?? path)}`,
  }));
}

/** A submodule that is not checked out, or whose old commit is not in the clone, cannot be compared. */
async function movedSubmodules(
  repository: UserRepository,
  before: ReadonlyMap<string, string>,
  below: (path: string) => string | null,
): Promise<AccountLine[]> {
  const now = await repository.submodules();
  const lines: AccountLine[] = [];
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const own = below(path);
    const [old, current] = [before.get(path), now.get(path)];
    if (own === null || old === current) continue;
    const submodule = UserRepository.at(`${repository.workTree}/${path}`);
    const isThere = submodule !== null && (old === undefined || (await submodule.commit(old)) !== null);
    if (!isThere)
      lines.push({ path: own, standing: "not-judged", why: "a submodule that differs, and is not all here" });
  }
  return lines;
}

const blobId = (content: Buffer, digits: number): string =>
  createHash(digits === 64 ? "sha256" : "sha1")
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest("hex");
