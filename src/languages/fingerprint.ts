import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** A short hash over the names in these directories and the content of these files. Missing ones count as empty. */
export function fingerprint(directories: string[], files: string[]): string {
  const hash = createHash("sha256");
  for (const directory of directories) hash.update(`${list(directory).sort().join("\n")}\0`);
  for (const file of files) hash.update(`${read(file)}\0`);
  return hash.digest("hex").slice(0, 16);
}

export function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
