import { chmodSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../domain/failure.ts";
import { errorCode } from "./error-code.ts";
import { isUnstorableName } from "./left-out.ts";

/**
 * Deeper entries are moved up before they are removed: the kernel accepts paths of at most 4096 bytes, and is slow on
 * long ones.
 */
const LONG = 500;

/**
 * Removes a file, or a directory that untrusted code may have filled: read-only directories, names that are no text,
 * paths too long to name, any depth. Follows no link. A missing path is no error.
 */
export function removeTree(path: string): void {
  remove(Buffer.from(path), path, { moved: 0 });
}

/** Without recursion, because untrusted code chooses the depth. */
function remove(path: Buffer, top: string, count: { moved: number }): void {
  const pending = [{ path, emptied: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, emptied } = next;
    try {
      if (emptied) rmdirSync(path);
      else if (lstatSync(path).isDirectory()) {
        pending.push({ path, emptied: true });
        for (const inside of contentOf(path, top, count)) pending.push({ path: inside, emptied: false });
      } else unlinkSync(path);
    } catch (cause) {
      if (errorCode(cause) === "ENOENT") continue;
      throw fail("environment", "workspace.unremovable", `${path.toString()} cannot be removed: ${String(cause)}`, {
        cause,
      });
    }
  }
}

/** The entries of a directory as paths. A directory that lies too deep is moved up first. */
function contentOf(directory: Buffer, top: string, count: { moved: number }): Buffer[] {
  // Some modes exclude even the owner.
  chmodSync(directory, 0o700);
  const isBelow = directory.length > Buffer.byteLength(top);
  return readdirSync(directory, { encoding: "buffer" }).map((name) => {
    const path = Buffer.concat([directory, Buffer.from("/"), name]);
    return path.length > LONG && isBelow ? movedUp(path, top, count) : path;
  });
}

/**
 * Removes entries whose names are no text from a directory. If the path is too long even for the kernel, the directory
 * itself is removed.
 */
export function removeUnnameable(directory: string, top: string): void {
  const count = { moved: 0 };
  for (const name of readdirSync(directory, { encoding: "buffer" })) {
    const path = Buffer.concat([Buffer.from(`${directory}/`), name]);
    if (isTooLong(path)) {
      remove(movedUp(Buffer.from(directory), top, count), top, count);
      return;
    }
    if (isUnstorableName(name.toString("utf8"))) remove(path, top, count);
  }
}

function movedUp(path: Buffer, top: string, count: { moved: number }): Buffer {
  count.moved += 1;
  const near = Buffer.from(join(top, `.removing-${process.pid}-${count.moved}`));
  renameSync(path, near);
  return near;
}

function isTooLong(path: Buffer): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === "ENAMETOOLONG";
  }
}
