import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { errorCode } from "./error-code.ts";
import { isUnstorableName } from "./left-out.ts";

/** Near the kernel's limit of 4096 bytes: what lies deeper is moved up before it is removed. */
const LONG = 3000;

/**
 * Removes a file or a whole directory that untrusted code may have filled: read-only directories, names that are no
 * text, paths too long to be named. Follows no link. What is already gone is fine.
 */
export function removeTree(path: string): void {
  remove(Buffer.from(path), path, { moved: 0 });
}

function remove(path: Buffer, top: string, count: { moved: number }): void {
  try {
    if (lstatSync(path).isDirectory()) {
      empty(path, top, count);
      rmdirSync(path);
    } else {
      unlinkSync(path);
    }
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return;
    throw fail("environment", "workspace.unremovable", `${path.toString()} cannot be removed: ${String(cause)}`, {
      cause,
    });
  }
}

function empty(directory: Buffer, top: string, count: { moved: number }): void {
  // Not every mode lets even the owner in.
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory, { encoding: "buffer" })) {
    const path = Buffer.concat([directory, Buffer.from("/"), name]);
    if (path.length > LONG && directory.length > Buffer.byteLength(top)) moveUp(path, top, count);
    else remove(path, top, count);
  }
}

/**
 * Removes from a directory what its path cannot name: bytes that are no text. If the kernel cannot name it either, the
 * path being too long, the directory itself goes.
 */
export function removeUnnameable(directory: string, top: string): void {
  const count = { moved: 0 };
  for (const name of readdirSync(directory, { encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(`${directory}/`), name]);
    if (isTooLong(path)) {
      moveUp(Buffer.from(directory), top, count);
      return;
    }
    if (isUnstorableName(name.toString("utf8"))) remove(path, top, count);
  }
}

function moveUp(path: Buffer, top: string, count: { moved: number }): void {
  count.moved += 1;
  const near = Buffer.from(join(top, `.removing-${process.pid}-${count.moved}`));
  renameSync(path, near);
  remove(near, top, count);
}

function isTooLong(path: Buffer): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === "ENAMETOOLONG";
  }
}
