import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { filesOf } from "../../environments/tools-of-tree.ts";
import { versionFilesOf } from "../../environments/version-files.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { isSecretContent, isStorablePath, isSuspectName } from "../../workspace/left-out.ts";
import { UserRepository } from "../../workspace/user-repository.ts";
import { readWorkFile } from "./read-trees.ts";

/** Both trees with files that git ignores, such as what a build made; the paths of these. */
interface LaidTrees {
  base: string;
  result: string;
  paths: string[];
}

const MOST_FILES = 2_000;
const LARGEST_FILE = 5e6;
const MOST_BYTES = 50e6;

/**
 * Files that lie in the directory and that git ignores, laid into both trees: `_version.py`, `*.mo`, `dist/`. No
 * secrets, caches or dependencies, and nothing that the trees have. A file of the version that a build would write is made
 * where the directory has none. They are the same on both sides, so that nothing of
 * the change is in them alone. Null where there are none.
 */
export async function withIgnoredFiles(
  artifacts: ArtifactStore,
  task: string,
  directory: string,
  { base, result }: { base: string; result: string },
): Promise<LaidTrees | null> {
  const known = new Set([base, result].flatMap((tree) => artifacts.list(tree).map(({ path }) => path)));
  const files: { path: string; content: Buffer }[] = [];
  let bytes = 0;
  for (const path of await ignoredPaths(directory)) {
    // A link may stand where the packages are: what is below it is theirs.
    const isOurs = isStorablePath(path) && isStorablePath(`${path}/x`);
    if (known.has(path) || !isOurs || isBelowFile(path, known)) continue;
    const content = readWorkFile(directory, path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (content === null || content.length > LARGEST_FILE || (isSuspectName(name) && isSecretContent(content)))
      continue;
    bytes += content.length;
    if (files.length >= MOST_FILES || bytes > MOST_BYTES) break;
    files.push({ path, content });
  }
  const laid = new Set(files.map(({ path }) => path));
  for (const tree of [base, result]) {
    for (const file of await versionFilesOf(filesOf(artifacts, tree), directory)) {
      if (known.has(file.path) || laid.has(file.path)) continue;
      laid.add(file.path);
      files.push({ path: file.path, content: Buffer.from(file.content) });
    }
  }
  if (files.length === 0) return null;
  const lay = (tree: string) => artifacts.overlay(task, tree, files);
  return { base: lay(base), result: lay(result), paths: files.map(({ path }) => path) };
}

/** A file of a tree stands where the directory has a folder. */
const isBelowFile = (path: string, known: ReadonlySet<string>): boolean =>
  path.split("/").some((_, index, names) => index > 0 && known.has(names.slice(0, index).join("/")));

/** Whole directories that are ignored are looked into here: git would list every file of the dependencies. */
async function ignoredPaths(directory: string): Promise<string[]> {
  const { repository, prefix } = UserRepository.find(directory);
  const listed = ["-C", repository.workTree, "ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
  const entries = (await repository.ask([...listed, "--directory"])).split("\0").filter((path) => path !== "");
  return entries
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .flatMap((path) => (path.endsWith("/") ? filesBelow(directory, path.slice(0, -1)) : path))
    .sort();
}

function filesBelow(root: string, directory: string): string[] {
  const place = join(root, directory);
  const isEnvironment = ["pyvenv.cfg", "CACHEDIR.TAG"].some((name) => existsSync(join(place, name)));
  if (isEnvironment || !isStorablePath(`${directory}/x`)) return [];
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : entry.isFile() ? path : [];
  });
}
