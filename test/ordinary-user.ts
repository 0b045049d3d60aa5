import { chmodSync, chownSync, copyFileSync, cpSync, lchownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/config/package-root.ts";
import { firstObstacle } from "../src/sandbox/reachable.ts";

const UID = 54_321;

/** As root a test can also be somebody else: a user without rights, without a name, without a home of the system's. */
export const isRoot = process.getuid?.() === 0;

/** How to start a process of an ordinary user's; whoever is one already needs nothing. */
export const ordinaryUser = isRoot ? { uid: UID } : {};

/** Hands a directory and all below it over to the ordinary user. */
export function giveToOrdinaryUser(directory: string): void {
  if (!isRoot) return;
  chownSync(directory, UID, UID);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), UID, UID);
  }
}

interface Program {
  node: string;
  root: string;
}

let copied: Program | undefined;

/** Node and the built command where that user can reach them: ours may stand in root's own home. */
export function programFor(uid: number | undefined): Program {
  const own = { node: process.execPath, root: packageRoot() };
  const identity = { uid: UID, gid: UID };
  if (uid === undefined || [own.node, own.root].every((path) => firstObstacle(path, identity) === null)) return own;
  copied ??= copyProgram(own);
  return copied;
}

/** For the end of a test. */
export function removeCopiedProgram(): void {
  if (copied) rmSync(copied.root, { recursive: true, force: true });
  copied = undefined;
}

function copyProgram({ node, root }: Program): Program {
  const directory = mkdtempSync(join(tmpdir(), "miracle-program-"));
  chmodSync(directory, 0o755);
  for (const name of ["bin", "dist", "config", "package.json"]) {
    cpSync(join(root, name), join(directory, name), { recursive: true });
  }
  copyFileSync(node, join(directory, "node"));
  return { node: join(directory, "node"), root: directory };
}
