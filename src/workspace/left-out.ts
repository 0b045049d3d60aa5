import { readFileSync } from "node:fs";
import { join } from "node:path";
import { matchesAny } from "./glob.ts";

/**
 * What a snapshot does not hold, and why. The rules go by name: the content of a file must not be able to hide a
 * directory.
 */
export type LeftOutReason =
  | "secret"
  | "dependencies"
  | "cache"
  | "ignored"
  | "special-file"
  | "unreadable"
  | "name"
  | "git"
  | "store";

export interface LeftOut {
  path: string;
  why: LeftOutReason;
}

/** Installed from elsewhere. They are mounted read-only or installed again, never stored, and a checkout keeps them. */
const DEPENDENCIES = new Set(["node_modules", "bower_components", ".venv", "venv", ".tox", ".nox", ".pnpm-store"]);

/** The next run makes them again. A checkout removes them, because a stale one may outlive its source. */
const CACHES = new Set([
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".hypothesis",
  ".nyc_output",
  ".parcel-cache",
  ".turbo",
  ".gradle",
]);

/** Where programs keep keys and tokens. */
const SECRET_DIRECTORIES = new Set([".aws", ".azure", ".gcloud", ".gnupg", ".kube", ".ssh"]);

/** Git, and the file systems of Windows and macOS, treat these names as `.git`. */
const DOT_GIT = /^(\.git|git~1)[ .]*([:\\].*)?$/i;
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export function isDotGit(name: string): boolean {
  const first = name.charCodeAt(0);
  // Such a name begins with a dot, a g or an invisible character. Most names end here.
  if (first !== 0x2e && first !== 0x67 && first !== 0x47 && first < 0x200c) return false;
  return DOT_GIT.test(name.replace(INVISIBLE, ""));
}

export function directoryLeftOut(name: string): LeftOutReason | null {
  if (DEPENDENCIES.has(name)) return "dependencies";
  if (CACHES.has(name)) return "cache";
  if (SECRET_DIRECTORIES.has(folded(name))) return "secret";
  return null;
}

/** Where packages are installed. A link there leads to those of another place, and is no more stored than they are. */
export const holdsPackages = (path: string): boolean =>
  directoryLeftOut(path.slice(path.lastIndexOf("/") + 1)) === "dependencies";

/** A name that cannot be stored and restored exactly. U+FFFD stands for bytes that are no UTF-8. */
export const isUnstorableName = (name: string): boolean => name.includes("\ufffd");

const SECRET =
  /^(\.env(\..+)?|test\.env|.*\.(key|p12|pfx|jks|keystore|kdbx|ppk)|id_(rsa|dsa|ecdsa|ed25519)([._-].*)?|credentials(\.json)?|\.git-credentials|[._]netrc|\.htpasswd|\.pgpass|\.dockercfg|service[-_]account.*\.json|secrets\.(json|ya?ml|toml))$/i;
const NOT_SECRET = /^(\.env\.(example|sample|template|dist)|.*\.pub)$/i;
/** These names are secret only if their content shows it. */
const SUSPECT = /^(\.npmrc|\.pypirc|\.yarnrc\.yml|.*\.pem)$/i;
const SUSPECT_CONTENT = /_authToken|_auth\s*=|_password|npmAuth|password\s*[=:]|PRIVATE KEY/i;

export function isSecretName(name: string): boolean {
  const plain = folded(name);
  return SECRET.test(plain) && !NOT_SECRET.test(plain);
}

export const isSuspectName = (name: string): boolean => SUSPECT.test(folded(name));

/** Lower case, composed, without invisible characters: other spellings of a name count as the name itself. */
function folded(name: string): string {
  if (/^[\x21-\x7e]*[\x21-\x2d\x2f-\x7e]$/.test(name)) return name.toLowerCase();
  return name
    .replace(/\p{Cf}/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ .]+$/, "");
}

export const isSecretContent = (content: Buffer): boolean => SUSPECT_CONTENT.test(content.toString("latin1"));

/** Whether this path names a secret, which is never stored. */
export function isSecretPath(path: string): boolean {
  return isSecretName(path.slice(path.lastIndexOf("/") + 1));
}

/** Secrets, and everything in a directory of secrets. */
export const isSecretPlace = (path: string): boolean =>
  isSecretPath(path) || path.split("/").some((name) => directoryLeftOut(name) === "secret");

const LONGEST_NAME = 255;
const LONGEST_PATH = 3000;

/** Whether a file can have this path, and a snapshot would hold that file. */
export function isStorablePath(path: string): boolean {
  const names = path.split("/");
  if (path.includes("\0") || path.length > LONGEST_PATH) return false;
  return (
    names.every((name) => Buffer.byteLength(name) <= LONGEST_NAME) &&
    !names.some((name) => name === "" || name === "." || name === ".." || isDotGit(name) || isUnstorableName(name)) &&
    !names.slice(0, -1).some((name) => directoryLeftOut(name) !== null) &&
    !isSecretPath(path)
  );
}

/** What the user's directory needs not: its `.miracleignore`. */
export function readIgnoreFile(directory: string): (path: string) => boolean {
  try {
    return ignoring(readFileSync(join(directory, IGNORE_FILE), "utf8"));
  } catch {
    return () => false;
  }
}

export const IGNORE_FILE = ".miracleignore";

/** The text of such a file: one path or glob per line that is not needed. */
export function ignoring(text: string): (path: string) => boolean {
  const globs = text
    .split(/\r?\n/)
    .map((line) =>
      line
        .trim()
        .replace(/^\.?\/+/, "")
        .replace(/\/+$/, ""),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));
  return (path) => matchesAny(globs, path);
}
