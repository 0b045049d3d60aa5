import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

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
