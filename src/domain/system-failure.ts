import { type Failure, fail } from "./failure.ts";

const MEANINGS: Record<string, string> = {
  ENOSPC: "a disk is full",
  EDQUOT: "your disk quota is used up",
  EROFS: "a file system is read-only",
  EIO: "a disk failed",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
};

/** What the operating system could not do and a person can mend, or undefined when the error is none of these. */
export function systemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const meaning = MEANINGS[error.code];
  if (meaning === undefined) return undefined;
  const place = "path" in error && typeof error.path === "string" ? `, ${error.path}` : "";
  const remedy = error.code === "ENOSPC" || error.code === "EDQUOT" ? "free some space" : "mend that";
  const message = `${meaning} (${error.code}${place}); ${remedy}, then resume`;
  return fail("environment", "system.unusable", message).failure;
}
