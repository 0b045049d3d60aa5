import { z } from "zod";
import { AccountLine } from "../../domain/evidence/account.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { holdsPackages, IGNORE_FILE, ignoring, isSecretPath, isStorablePath } from "../../workspace/left-out.ts";
import { UserRepository } from "../../workspace/user-repository.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import { MANIFEST_FILE } from "../evidence/manifest.ts";
import { chooseBase } from "./choose-base.ts";
import { leftOutChanges } from "./left-out-changes.ts";
import { type Entries, putCommittedFiles, putWorkFiles } from "./put-trees.ts";
import { type Found, type FoundFile, readCommit, readWorkTree } from "./read-trees.ts";

/** A change, as two snapshots in the artifact store. The user's directory and its `.git` were only read. */
export const TakenChange = z.lazy(() =>
  z.object({
    base: z.string(),
    result: z.string(),
    baseCommit: z.string().nullable(),
    since: z.string(),
    /** Where nothing is uncommitted, and so the last commit is the change: `abc1234 "subject"`. */
    lastCommit: z.string().optional(),
    /** Tracked files that differ and that neither tree holds. */
    leftOut: z.array(AccountLine),
    /** What a reader must know of the trees: submodules, secrets, what was not judged. */
    notes: z.array(z.string()),
  }),
);
export type TakenChange = z.infer<typeof TakenChange>;

/** The change since a revision, uncommitted and untracked files included, of the directory and all below it. */
export async function takeChange(
  artifacts: ArtifactStore,
  task: string,
  directory: string,
  asked: string | undefined,
): Promise<TakenChange> {
  const { repository, prefix } = UserRepository.find(directory);
  const secrets = new Set<string>();
  const notes = new Set<string>();
  const kept = <T extends FoundFile>(found: Found<T>) => keptFiles(below(found, prefix), secrets);
  const readFor = async (text: string) => {
    const ignored = ignoring(text);
    // A submodule that holds the project stands above it.
    const wanted = (path: string) =>
      path.startsWith(prefix) ? !ignored(path.slice(prefix.length)) : prefix.startsWith(`${path}/`);
    const work = await readWorkTree(repository, wanted);
    for (const note of work.notes) notes.add(note);
    return { ignored, wanted, now: putWorkFiles(artifacts, kept(work)), sparse: below(work, prefix).sparse };
  };
  // What is left out of both trees, the commit says that the change starts from: not the change.
  const works = new Map<string, ReturnType<typeof readFor>>();
  const workSince = async (commit: string | null) => {
    const text = commit === null ? "" : await repository.ask(["cat-file", "blob", `${commit}:${prefix}${IGNORE_FILE}`]);
    const known = works.get(text) ?? readFor(text);
    works.set(text, known);
    return known;
  };
  const commits = new Map<string | null, Entries>();
  const entriesOf = async (commit: string | null): Promise<Entries> => {
    const known = commits.get(commit);
    if (known) return known;
    const { wanted, now } = await workSince(commit);
    const found = await readCommit(repository, commit, wanted);
    for (const note of found.notes) notes.add(note);
    const entries = await putCommittedFiles(artifacts, kept(found), now);
    commits.set(commit, entries);
    return entries;
  };
  const put = (entries: Entries) => artifacts.putTree(task, () => ({ entries, emptyDirectories: new Set() }));
  const resultSince = async (commit: string | null) => {
    const { now, sparse } = await workSince(commit);
    return put(new Map([...[...(await entriesOf(commit))].filter(([path]) => sparse.has(path)), ...now]));
  };

  const base = await chooseBase(
    repository,
    asked,
    async (head) => put(await entriesOf(head)) === (await resultSince(head)),
  );
  const taken = { base: put(await entriesOf(base.commit)), result: await resultSince(base.commit) };
  const { ignored } = await workSince(base.commit);
  for (const path of secrets) notes.add(`${path} looks secret by its name: it is in neither tree`);
  if (prefix !== "") notes.add(`only ${prefix} was judged: what lies outside of it is in neither tree`);
  return {
    ...taken,
    baseCommit: base.commit,
    since: base.since,
    ...(base.lastCommit !== undefined && { lastCommit: base.lastCommit }),
    leftOut: await leftOutChanges({ repository, commit: base.commit, prefix, ignored }),
    notes: [...notes].sort(),
  };
}

/** Only what lies below the prefix, by its path from there. */
function below<T extends FoundFile>(found: Found<T>, prefix: string): Found<T> {
  if (prefix === "") return found;
  const inside = [...found.files].filter(([path]) => path.startsWith(prefix));
  const cut = (path: string) => path.slice(prefix.length);
  return {
    files: new Map(inside.map(([path, file]) => [cut(path), { ...file, path: cut(path) }])),
    notes: found.notes,
    sparse: new Set([...found.sparse].filter((path) => path.startsWith(prefix)).map(cut)),
  };
}

/** The same rules as for a snapshot of the user's tree: no dependencies, caches, secrets, environments. */
function keptFiles<T extends FoundFile>({ files }: Found<T>, secrets: Set<string>): T[] {
  const environments = [...files.keys()]
    .filter((path) => /\/(pyvenv\.cfg|CACHEDIR\.TAG)$/.test(path) || isBundleOfOurs(path, files))
    .map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  return [...files.values()].filter(({ path, kind }) => {
    if (isSecretPath(path)) secrets.add(path);
    if (kind === "link" && holdsPackages(path)) return false;
    return isStorablePath(path) && !environments.some((root) => path.startsWith(root));
  });
}

/** Evidence that was written into the project is no part of the next change. */
const isBundleOfOurs = (path: string, files: Map<string, unknown>): boolean =>
  path.endsWith(`/${MANIFEST_FILE}`) && files.has(path.replace(MANIFEST_FILE, BUNDLE.document));
