import { accessSync, constants, existsSync, mkdirSync, statfsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fail } from "../domain/failure.ts";
import type { Environment } from "./environment-layer.ts";
import { errorCode } from "./read-text.ts";

/** With less free space a database may be unable to finish a write. */
const LEAST_FREE_BYTES = 20_000_000;

/** `MIRACLE_HOME`, or the XDG data directory. */
export function dataDirectoryPath(env: Environment, home: string): string {
  if (env.MIRACLE_HOME) return resolve(env.MIRACLE_HOME);
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "miracle");
}

/**
 * Creates the data directory for its owner alone. Refuses a directory that cannot be written, before any work is lost
 * in it.
 */
export function openDataDirectory(env: Environment, home: string): string {
  const directory = dataDirectoryPath(env, home);
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(directory, `cannot be written (${errorCode(error)})`, error);
  }
  const free = freeBytes(directory);
  if (free < LEAST_FREE_BYTES) throw unwritable(directory, `has only ${Math.floor(free / 1e6)} MB left`);
  return directory;
}

/** Not `recursive`: on a file system such as /proc, which answers ENOENT to mkdir, Node then never returns. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process made it first.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function unwritable(directory: string, problem: string, cause?: unknown) {
  const message = `the data directory ${directory} ${problem}; make room, or set MIRACLE_HOME to another directory`;
  return fail("environment", "data.unwritable", message, { cause });
}
