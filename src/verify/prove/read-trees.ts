import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../domain/failure.ts";
import { UserRepository } from "../../workspace/user-repository.ts";

/** A file or link of a work tree or a commit, before it is decided whether a snapshot holds it. */
export interface FoundFile {
  path: string;
  kind: "file" | "link";
  permissions: number;
}

/** As the directory holds it. */
export interface WorkFile extends FoundFile {
  size: number;
  read(): Buffer;
}

/** As a commit holds it. */
export interface CommittedFile extends FoundFile {
  id: string;
  size: number;
  repository: UserRepository;
  /** Its path in that repository, which may be a submodule. */
  own: string;
}

export interface Found<T extends FoundFile> {
  files: Map<string, T>;
  notes: string[];
  /** Paths of a sparse checkout: not there, and not deleted. */
  sparse: Set<string>;
}

const MOST_FILES = 100_000;
const MOST_BYTES = 1e9;

/** What git would commit if everything were added. A submodule's files are taken as they are, changed ones included. */
export async function readWorkTree(repository: UserRepository, wanted: Wanted): Promise<Found<WorkFile>> {
  const found: Found<WorkFile> = { files: new Map(), notes: [], sparse: new Set() };
  await addWorkTree(repository, "", found, new Tally(repository, wanted));
  return found;
}

/** Whether a path is looked at: what is not counts for nothing, not even for the limits. */
type Wanted = (path: string) => boolean;

/** Counts before anything is read. */
class Tally {
  readonly wants: Wanted;
  readonly #directory: string;
  #files = 0;
  #bytes = 0;

  constructor({ workTree }: UserRepository, wanted: Wanted) {
    this.#directory = workTree;
    this.wants = wanted;
  }

  add(size: number): void {
    this.#files += 1;
    this.#bytes += size;
    if (this.#files > MOST_FILES || this.#bytes > MOST_BYTES) throw tooLarge(this.#directory);
  }
}

async function addWorkTree(
  repository: UserRepository,
  prefix: string,
  found: Found<WorkFile>,
  tally: Tally,
): Promise<void> {
  const directories = new Map<string, boolean>();
  for (const { path: own, left } of await repository.listWorkTree()) {
    const path = prefix + own;
    if (!tally.wants(path)) continue;
    if (own.endsWith("/")) {
      found.notes.push(`${path} is a repository of its own that git does not track: not part of the change`);
      continue;
    }
    const absolute = join(repository.workTree, own);
    const stats = throughDirectories(repository.workTree, own, directories) ? statOf(absolute) : undefined;
    if (!stats) {
      if (left) found.sparse.add(path);
      continue;
    }
    if (stats.isDirectory()) {
      const submodule = UserRepository.at(absolute);
      if (submodule) await addWorkTree(submodule, `${path}/`, found, tally);
      else found.notes.push(`submodule ${path} is not checked out: its files are in neither run`);
      continue;
    }
    if (!stats.isFile() && !stats.isSymbolicLink()) {
      found.notes.push(`${path} is neither a file nor a link: left out`);
      continue;
    }
    tally.add(stats.size);
    found.files.set(path, {
      path,
      kind: stats.isSymbolicLink() ? "link" : "file",
      permissions: stats.isSymbolicLink() ? 0o777 : stats.mode & 0o100 ? 0o755 : 0o644,
      size: stats.size,
      read: () => (stats.isSymbolicLink() ? readlinkSync(absolute, { encoding: "buffer" }) : readPlain(absolute)),
    });
  }
}

/** Null stands for the empty tree. Submodules are read from their own repositories, at the commit that is recorded. */
export async function readCommit(
  repository: UserRepository,
  commit: string | null,
  wanted: Wanted,
): Promise<Found<CommittedFile>> {
  return committedFiles(repository, commit, "", new Tally(repository, wanted));
}

async function committedFiles(
  repository: UserRepository,
  commit: string | null,
  prefix: string,
  tally: Tally,
): Promise<Found<CommittedFile>> {
  const found: Found<CommittedFile> = { files: new Map(), notes: [], sparse: new Set() };
  for (const entry of commit === null ? [] : await repository.listCommit(commit)) {
    const path = prefix + entry.path;
    if (!tally.wants(path)) continue;
    if (entry.type === "commit") {
      const submodule = UserRepository.at(join(repository.workTree, entry.path));
      const known = submodule && (await submodule.commit(entry.id));
      if (!submodule || !known) {
        const what = `submodule ${path} at ${entry.id.slice(0, 10)}`;
        found.notes.push(`${what} is not in this clone: the base runs without its files`);
        continue;
      }
      const below = await committedFiles(submodule, entry.id, `${path}/`, tally);
      for (const [name, file] of below.files) found.files.set(name, file);
      found.notes.push(...below.notes);
      continue;
    }
    tally.add(entry.size);
    const kind = entry.mode === "120000" ? "link" : "file";
    const permissions = kind === "link" ? 0o777 : entry.mode === "100755" ? 0o755 : 0o644;
    const { id, size } = entry;
    found.files.set(path, { path, kind, permissions, id, size, repository, own: entry.path });
  }
  return found;
}

/** The bytes of one file, or the target of a link; null when it is not there. Nothing is read through a link. */
export function readWorkFile(root: string, path: string): Buffer | null {
  const stats = throughDirectories(root, path, new Map()) ? statOf(join(root, path)) : undefined;
  if (stats?.isSymbolicLink()) return readlinkSync(join(root, path), { encoding: "buffer" });
  return stats?.isFile() ? readPlain(join(root, path)) : null;
}

/** A tracked file below what is now a link is not there: nothing outside of the tree is read. */
function throughDirectories(root: string, path: string, known: Map<string, boolean>): boolean {
  const cut = path.lastIndexOf("/");
  if (cut < 0) return true;
  const parent = path.slice(0, cut);
  const answer = known.get(parent);
  if (answer !== undefined) return answer;
  const real = throughDirectories(root, parent, known) && statOf(join(root, parent))?.isDirectory() === true;
  known.set(parent, real);
  return real;
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readPlain(path: string): Buffer {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!fstatSync(file).isFile()) throw new Error("it is no file any more");
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw fail("environment", "prove.unreadable", `${path} cannot be read: give it back its permissions`, { cause });
  }
}

const tooLarge = (directory: string) =>
  fail(
    "invalid-input",
    "workspace.too-large",
    `${directory} holds more than ${MOST_FILES} files or ${MOST_BYTES / 1e6} MB: prove it in a smaller directory, or commit a .miracleignore that names what is not needed`,
  );
