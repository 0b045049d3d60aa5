import { isTestConfig, isWholeConfig, lockChanges, locksOf } from "../locks/test-config.ts";
import { sharedFile } from "../locks/test-settings.ts";
import { shadowsRunner } from "./shadows.ts";

/** What becomes of a changed file before a verdict: null where it stays as the coder left it. */
type Restored = { remove: true } | { content: string } | null;

/**
 * A change has no business with how tests run. Files that are about nothing else are put back; in files that are also
 * about other things only the test-related fields are. `before`, `after`: null where there is no such file.
 */
export function restoredConfig(path: string, before: string | null, after: string | null): Restored {
  const whole = isWholeConfig(path) || (before === null && (shadowsRunner(path) || isCompiled(path)));
  if (whole) return before === null ? { remove: true } : { content: before };
  if (!isTestConfig(path)) return null;
  if (after === null) return before !== null && locksOf(path, before).length > 0 ? { content: before } : null;
  const changed = lockChanges(before === null ? [] : locksOf(path, before), locksOf(path, after));
  if (changed.length === 0) return null;
  // A new manifest is the project's beginning.
  if (before === null && path.endsWith(".json")) return null;
  const shared = sharedFile(path);
  // What cannot be read may say anything of tests.
  if (!shared || shared.fields(after) === null) return before === null ? { remove: true } : { content: before };
  return { content: shared.restored(before ?? "", after) };
}

/** Runs like a source, and nobody can read it. */
const isCompiled = (path: string): boolean => /\.py[co]$/.test(path);
