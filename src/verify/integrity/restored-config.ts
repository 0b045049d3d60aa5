import { isTestConfig, isWholeConfig, lockChanges, locksOf, withTestFieldsOf } from "../locks/test-config.ts";
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
  if (path.endsWith(".json")) return before === null ? null : { content: withTestFieldsOf(before, after) };
  const own = before === null ? "" : testSections(before, true);
  return { content: `${testSections(after, false).trimEnd()}\n${own === "" ? "" : `\n${own}`}` };
}

/** Runs like a source, and nobody can read it. */
const isCompiled = (path: string): boolean => /\.py[co]$/.test(path);

const TEST_SECTION =
  /^\[{1,2}\s*["']?(tool\s*\.\s*["']?(pytest|coverage|tox)|tool:pytest|coverage:|pytest|testenv|tox\b)/;

/** The sections of an INI or TOML file that are about tests, or all the others. */
function testSections(text: string, wanted: boolean): string {
  let isTest = false;
  return text
    .split("\n")
    .filter((line) => {
      if (/^\s*\[/.test(line)) isTest = TEST_SECTION.test(line.trim());
      return isTest === wanted;
    })
    .join("\n");
}
