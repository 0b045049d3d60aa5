import type { Stats } from "node:fs";
import { fail } from "../domain/failure.ts";
import { Breather } from "./breather.ts";
import type { ContentSink } from "./content-sink.ts";
import { DIRECTORY, encodeTree, type TreeItem } from "./git-objects.ts";
import { directoryLeftOut, isDotGit, isSecretName, isUnstorableName, type LeftOutReason } from "./left-out.ts";
import { namesIn, openDirectory, readEntry, statOf } from "./read-entry.ts";
import { type DirectoryNode, type FileNode, newDirectoryNode, trusted } from "./stat-cache.ts";
import { gitMode } from "./tree.ts";

export interface ScanRules {
  /**
   * Further paths of this tree to leave out, beside the rules by name. Called for each file, so it is absent if there
   * are none.
   */
  leaveOut?: (path: string) => LeftOutReason | null;
  /** In the user's own tree, a file inside a directory may mark it as an environment or a cache. */
  markers: boolean;
  /**
   * In a checkout: entries without read permission are opened for reading, even if its code excluded the owner. They
   * still exist.
   */
  opens: boolean;
  maxFiles: number;
  maxBytes: number;
}

/**
 * Walks a directory by its own rules, follows no link, and reads only what changed since `previous`. Calls are
 * synchronous, because a thousand of them must fit into two milliseconds.
 */
export async function scan(
  directory: string,
  previous: DirectoryNode | null,
  rules: ScanRules,
  sink: ContentSink,
): Promise<DirectoryNode> {
  const stats = rules.opens ? statOf(directory) : undefined;
  if (stats?.isDirectory()) openDirectory(directory, stats);
  const walk = new Walk(directory, rules, sink);
  const root = await walk.directory("", previous);
  if (root) return root;
  throw fail(
    "invalid-input",
    "workspace.refused",
    `${directory} cannot be read: it is no directory, or you may not read it`,
  );
}

class Walk {
  readonly #root: string;
  readonly #rules: ScanRules;
  readonly #sink: ContentSink;
  readonly #breather = new Breather();
  /** A file or directory older than this cannot have changed unnoticed after we read it. */
  readonly #startedAt = Date.now();
  /** Size of each entry of the root, to name the one that is too large. */
  readonly #tops: Tally[] = [];
  #top: Tally = { name: "", files: 0, bytes: 0 };
  #files = 0;
  #bytes = 0;

  constructor(root: string, rules: ScanRules, sink: ContentSink) {
    this.#root = root;
    this.#rules = rules;
    this.#sink = sink;
  }

  /** Null if the directory cannot be read, or is marked as not part of the tree. */
  async directory(relative: string, previous: DirectoryNode | null): Promise<DirectoryNode | null> {
    const names = namesIn(relative === "" ? this.#root : `${this.#root}/${relative}`);
    if (!names) return null;
    const prefix = relative === "" ? "" : `${relative}/`;
    const looked = await this.#lookAt(prefix, names);
    if (previous && relative !== "" && this.#isAsBefore(previous, prefix, names, looked)) return previous;
    const node = newDirectoryNode();
    let same = previous?.tree !== null && previous !== null;
    for (const [index, name] of names.entries()) {
      const path = prefix + name;
      const absolute = `${this.#root}/${path}`;
      if (relative === "") this.#enterTop(name);
      const stats = looked[index];
      if (!stats) {
        // The entry vanished meanwhile, or its path is too long. The second case must be reported.
        if (isUnstorableName(name) || absolute.length > 1000) node.leftOut.push({ path, why: "name" });
        continue;
      }
      const before = previous?.files.get(name);
      // A file name that passed the rules last time passes them again.
      const why = before && stats.isFile() ? this.#rules.leaveOut?.(path) : this.#leaveOut(name, path, stats);
      if (why === "git" && relative !== "") node.nested = stats.isDirectory() ? "repository" : "submodule";
      if (why) node.leftOut.push({ path, why });
      else if (stats.isDirectory()) {
        if (this.#rules.opens) openDirectory(absolute, stats);
        const child = await this.#child(path, previous?.directories.get(name) ?? null);
        if (typeof child === "string") node.leftOut.push({ path, why: child });
        else node.directories.set(name, child);
        same &&= sameDirectory(previous?.directories.get(name), child);
      } else {
        this.#count(stats.size);
        const file = trusted(before, stats) ?? (await this.#read(name, absolute, stats));
        if (file === null) continue;
        if (typeof file === "string") node.leftOut.push({ path, why: file });
        else node.files.set(name, file);
        if (typeof file !== "string" && file.secret) node.leftOut.push({ path, why: "secret" });
        same &&= sameFile(before, file);
      }
      if (this.#breather.due) await this.#breather.breathe();
    }
    same &&= node.files.size === previous?.files.size && node.directories.size === previous.directories.size;
    return this.#settle(node, same ? (previous?.tree ?? null) : null);
  }

  async #lookAt(prefix: string, names: string[]): Promise<(Stats | undefined)[]> {
    const looked: (Stats | undefined)[] = [];
    for (const name of names) {
      looked.push(statOf(`${this.#root}/${prefix}${name}`));
      if (looked.length % 256 === 0 && this.#breather.due) await this.#breather.breathe();
    }
    return looked;
  }

  /**
   * True if the directory holds the same files as last time and no directories. That is the usual case, and then its
   * node is reused.
   */
  #isAsBefore(previous: DirectoryNode, prefix: string, names: string[], looked: (Stats | undefined)[]): boolean {
    const { tree, files, directories, leftOut, nested } = previous;
    if (tree === null || directories.size > 0 || leftOut.length > 0 || nested !== null) return false;
    if (names.length !== files.size) return false;
    for (const [index, name] of names.entries()) {
      const stats = looked[index];
      if (!stats || !trusted(files.get(name), stats)) return false;
      if (stats.isFile() ? this.#rules.leaveOut?.(prefix + name) : this.#leaveOut(name, prefix + name, stats))
        return false;
    }
    for (const stats of looked) this.#count(stats?.size ?? 0);
    return true;
  }

  async #child(path: string, before: DirectoryNode | null): Promise<DirectoryNode | LeftOutReason> {
    if (this.#rules.markers) {
      const absolute = `${this.#root}/${path}`;
      if (statOf(`${absolute}/pyvenv.cfg`)) return "dependencies";
      if (statOf(`${absolute}/CACHEDIR.TAG`)) return "cache";
    }
    return (await this.directory(path, before)) ?? "unreadable";
  }

  #leaveOut(name: string, path: string, stats: Stats): LeftOutReason | null {
    if (isDotGit(name)) return "git";
    if (isUnstorableName(name)) return "name";
    if (stats.isDirectory() || stats.isSymbolicLink()) {
      const why = directoryLeftOut(name);
      if (why) return why;
    }
    const why = this.#rules.leaveOut?.(path);
    if (why) return why;
    if (stats.isDirectory()) return null;
    if (!stats.isFile() && !stats.isSymbolicLink()) return "special-file";
    return isSecretName(name) ? "secret" : null;
  }

  #read(name: string, absolute: string, stats: Stats): Promise<FileNode | LeftOutReason | null> {
    return readEntry(name, absolute, stats, { opens: this.#rules.opens, checkedAt: this.#startedAt, sink: this.#sink });
  }

  #enterTop(name: string): void {
    this.#top = { name, files: 0, bytes: 0 };
    this.#tops.push(this.#top);
  }

  /** Called before a file is read: a file of many gigabytes must be refused before it is stored. */
  #count(size: number): void {
    this.#files += 1;
    this.#bytes += size;
    this.#top.files += 1;
    this.#top.bytes += size;
    if (this.#files > this.#rules.maxFiles || this.#bytes > this.#rules.maxBytes) throw this.#tooLarge();
  }

  #tooLarge(): Error {
    const { maxFiles, maxBytes } = this.#rules;
    const weight = (top: Tally) => top.files / maxFiles + top.bytes / maxBytes;
    const largest = this.#tops.reduce((a, b) => (weight(b) > weight(a) ? b : a), this.#top);
    const limit = this.#files > maxFiles ? `${maxFiles} files` : `${Math.round(maxBytes / 1e6)} MB`;
    const most = `${largest.name} has ${largest.files} files and ${Math.round(largest.bytes / 1e6)} MB so far`;
    return fail(
      "invalid-input",
      "workspace.too-large",
      `${this.#root} holds more than ${limit} (${most}): start in a smaller directory, or name what is not needed in .miracleignore`,
    );
  }

  #settle(node: DirectoryNode, knownTree: string | null): DirectoryNode {
    const items: TreeItem[] = [];
    for (const [name, file] of node.files) {
      if (file.secret) continue;
      const mode = gitMode(file.kind, file.permissions);
      node.fileCount += 1;
      node.bytes += file.size;
      if (file.kind === "file" && file.permissions !== 0o644 && file.permissions !== 0o755) node.plain = false;
      if (knownTree === null) items.push({ name, mode, id: file.id });
    }
    for (const [name, child] of node.directories) {
      node.fileCount += child.fileCount;
      node.bytes += child.bytes;
      // Git has no empty directories, and neither have our trees. The manifest lists them.
      if (child.fileCount === 0 || !child.plain) node.plain = false;
      if (knownTree === null && child.fileCount > 0 && child.tree !== null) {
        items.push({ name, mode: DIRECTORY, id: child.tree });
      }
    }
    node.tree = knownTree ?? this.#sink.tree(encodeTree(items));
    return node;
  }
}

interface Tally {
  name: string;
  files: number;
  bytes: number;
}

/** Equal in everything that the git tree of their directory holds. */
const sameFile = (before: FileNode | undefined, now: FileNode | string): boolean =>
  typeof now !== "string" &&
  before?.id === now.id &&
  before.kind === now.kind &&
  before.secret === now.secret &&
  before.permissions === now.permissions;

const sameDirectory = (before: DirectoryNode | undefined, now: DirectoryNode | string): boolean =>
  typeof now !== "string" && before?.tree === now.tree && before.fileCount > 0 === now.fileCount > 0;
