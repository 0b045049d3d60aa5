import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../domain/failure.ts";
import type { Owner } from "./checkout.ts";
import { removeTree } from "./remove-tree.ts";
import { checkRefPart } from "./repository.ts";

/** Where root can keep files that another user id must reach. A home directory is closed to that user. */
const SHARED_PLACES = ["/var/lib/miracle", "/var/tmp/miracle", "/tmp/miracle"];

/**
 * The checkouts of tasks: `<root>/<task>/<epoch>/<name>`. Each claim has its own, so a slow worker never writes into
 * the directory of the process that took over.
 */
export class CheckoutDirectories {
  readonly root: string;
  readonly #mode: number;

  /** `owner` is the user id of sandboxed code, if it is not ours. */
  static open(dataDirectory: string, owner: Owner | null, places: string[] = SHARED_PLACES): CheckoutDirectories {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    const data = realpathSync(dataDirectory);
    if (owner === null) return new CheckoutDirectories(join(data, "checkouts"), 0o700);
    const place = places.find(isUsablePlace);
    if (place === undefined) {
      const message = `none of ${places.join(", ")} can hold checkouts: one must be a directory of root's that others can pass`;
      throw fail("environment", "workspace.unreachable", message);
    }
    const name = createHash("sha256").update(data).digest("hex").slice(0, 12);
    return new CheckoutDirectories(join(place, name), 0o711);
  }

  private constructor(root: string, mode: number) {
    this.root = root;
    this.#mode = mode;
  }

  /** The directory of one checkout. Its parents exist afterwards; the checkout makes the directory itself. */
  path(task: string, epoch: number, name: string): string {
    const parent = join(this.root, checkRefPart(task), String(epoch));
    for (const directory of [this.root, dirname(parent), parent]) {
      mkdirSync(directory, { recursive: true, mode: this.#mode });
      // The umask may have removed requested bits.
      if ((statSync(directory).mode & 0o777) !== this.#mode) chmodSync(directory, this.#mode);
    }
    return join(parent, fileName(name));
  }

  /** Removes the checkouts of one claim whose names begin so. */
  removeNamed(task: string, epoch: number, prefix: string): void {
    const directory = join(this.root, checkRefPart(task), String(epoch));
    if (!lstatSync(directory, { throwIfNoEntry: false })) return;
    for (const name of readdirSync(directory)) if (name.startsWith(prefix)) removeTree(join(directory, name));
    for (const empty of [directory, dirname(directory)]) if (readdirSync(empty).length === 0) removeTree(empty);
  }

  /** Removes all checkouts of a task, or those of claims before `beforeEpoch`. */
  remove(task: string, beforeEpoch = Number.POSITIVE_INFINITY): void {
    const directory = join(this.root, checkRefPart(task));
    if (!lstatSync(directory, { throwIfNoEntry: false })) return;
    for (const epoch of readdirSync(directory)) if (!(Number(epoch) >= beforeEpoch)) removeTree(join(directory, epoch));
    if (readdirSync(directory).length === 0) removeTree(directory);
  }
}

/** Names of strands may hold slashes and colons. Two different names never get the same directory. */
function fileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/.test(name)) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 48)}-${digest}`;
}

/**
 * In a directory that everybody may write to, somebody else may have made it first. It must belong to root, for root
 * alone.
 */
function isUsablePlace(place: string): boolean {
  try {
    mkdirSync(place, { recursive: true, mode: 0o711 });
    const stats = lstatSync(place);
    if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0) return false;
    if ((stats.mode & 0o011) !== 0o011) chmodSync(place, 0o711);
    return canPass(dirname(place));
  } catch {
    return false;
  }
}

function canPass(directory: string): boolean {
  if ((statSync(directory).mode & 0o001) === 0) return false;
  return directory === "/" || canPass(dirname(directory));
}
