import { chmodSync, copyFileSync, cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";
import { firstObstacle } from "../src/sandbox/reachable.ts";

/** What the sources under test need of node_modules when they are run by themselves. */
const NEEDED = ["zod"];

let found: { node: string; root: string } | undefined;

/**
 * Node and our sources where any user can reach them: where they are, or copied once per process when they stand in a
 * closed directory, such as root's home.
 */
export function reachableSources(): { node: string; root: string } {
  found ??= find();
  return found;
}

function find() {
  const root = packageRoot();
  const anybody = { uid: 65_534, gid: 65_534 };
  const isOpen = [root, process.execPath].every((path) => firstObstacle(path, anybody) === null);
  if (isOpen) return { node: process.execPath, root };
  const directory = mkdtempSync(join(tmpdir(), "miracle-sources-"));
  chmodSync(directory, 0o755);
  for (const path of [
    "src",
    "test/conformance",
    "test/awkward-tree.ts",
    "config",
    "package.json",
    ...NEEDED.map((name) => join("node_modules", name)),
  ]) {
    cpSync(join(root, path), join(directory, path), { recursive: true });
  }
  copyFileSync(process.execPath, join(directory, "node"));
  return { node: join(directory, "node"), root: directory };
}
