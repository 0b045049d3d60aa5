import type { GateRun } from "../verify/gate.ts";
import { looksAtRunner } from "../verify/integrity/looks-at-runner.ts";
import { restoredConfig } from "../verify/integrity/restored-config.ts";
import type { EngineParts } from "./parts.ts";
import type { GateOptions } from "./run-gate.ts";

const LARGEST_SOURCE = 500_000;
/** It names the tests so as to leave them out. */
const PACKAGING = /(^|\/)setup\.py$/;

/**
 * The tree as it is to be judged: what decides how tests run is as it was before the coder came, unless the goal names
 * it; and what the change adds that reaches for the runner is named.
 */
export function restoreIntegrity(
  { artifacts, journal }: EngineParts,
  { tree, integrity, language, tests }: GateOptions,
): Pick<GateRun, "tree" | "tampered" | "reaching"> {
  if (!integrity) return { tree };
  const given = new Set(tests.map((file) => file.path));
  const text = (from: string, path: string): string | null => {
    const content = artifacts.readFile(from, path);
    return content === null || content.length > LARGEST_SOURCE ? null : content.toString("utf8");
  };
  const isAsked = (path: string) => integrity.said.includes(path.slice(path.lastIndexOf("/") + 1));
  const removed: string[] = [];
  const replaced: { path: string; content: string }[] = [];
  const reaching: { path: string; what: string }[] = [];
  for (const { path, before, after } of artifacts.changes(integrity.before, tree)) {
    if (given.has(path)) continue;
    const [old, now] = [before && text(integrity.before, path), after && text(tree, path)];
    const restored = isAsked(path) ? null : restoredConfig(path, old, now);
    if (restored && "remove" in restored) removed.push(path);
    else if (restored) replaced.push({ path, content: restored.content });
    else if (now !== null && /\.(py|[cm]?[jt]sx?)$/.test(path) && !language?.isTestFile(path) && !PACKAGING.test(path))
      reaching.push(...looksAtRunner(old ?? "", now, integrity.said).map((what) => ({ path, what })));
  }
  const without = removed.length === 0 ? tree : artifacts.withoutPaths(journal.task, tree, removed);
  const clean = replaced.length === 0 ? without : artifacts.overlay(journal.task, without, replaced);
  return { tree: clean, tampered: [...removed, ...replaced.map(({ path }) => path)], reaching };
}
