import { canonicalJson } from "../domain/json.ts";
import type { Step } from "../domain/task/step.ts";
import { sha256 } from "./hash.ts";

/** The chain of a strand begins with the hash of the frozen settings, so a changed setting breaks every chain. */
export function genesis(task: string, strand: string, frozenHash: string): string {
  return sha256(canonicalJson({ task, strand, frozenHash }));
}

/** The hash of a row covers everything in it and the hash of the row before. */
export function rowHash(row: Omit<Step, "hash">): string {
  return sha256(canonicalJson(row));
}
