import type { GateRun } from "../../verify/gate/gate.ts";
import { isStoredAnswer, namingFiles, saysTheSame } from "../../verify/integrity/own-tests.ts";
import { restoredConfig } from "../../verify/integrity/restored-config.ts";
import type { EngineParts } from "../hands/parts.ts";
import type { Run } from "../hands/run.ts";
import type { GateOptions } from "./gate-options.ts";

const LARGEST_SOURCE = 500_000;

/**
 * Makes the tree that the gate judges. The configuration of the tests is put back to what it was before the coder,
 * unless the goal names the file.
 */
export async function restoreIntegrity(run: Run, options: GateOptions): Promise<Pick<GateRun, "tree" | "tampered">> {
  const { artifacts, journal } = run.parts;
  const { tree, integrity, tests } = options;
  if (!integrity) return { tree };
  const { asked = integrity.said } = options;
  const given = new Set(tests.map((file) => file.path));
  const text = (from: string, path: string): string | null => {
    const content = artifacts.readFile(from, path);
    return content === null || content.length > LARGEST_SOURCE ? null : content.toString("utf8");
  };
  const isAsked = (path: string) => asked.includes(path.slice(path.lastIndexOf("/") + 1));
  const removed: string[] = [];
  const replaced: { path: string; content: string | Buffer }[] = [];
  for (const { path, before, after } of artifacts.changes(integrity.before, tree)) {
    if (given.has(path)) continue;
    const [old, now] = [before && text(integrity.before, path), after && text(tree, path)];
    const own = isAsked(path) || !before ? null : await ownTestBefore(run.parts, options, path, old, now);
    const restored = isAsked(path) ? null : own ? { content: own } : restoredConfig(path, old, now);
    if (restored && "remove" in restored) removed.push(path);
    else if (restored) replaced.push({ path, content: restored.content });
  }
  const without = removed.length === 0 ? tree : artifacts.withoutPaths(journal.task, tree, removed);
  const clean = replaced.length === 0 ? without : artifacts.overlay(journal.task, without, replaced);
  return { tree: clean, tampered: [...removed, ...replaced.map(({ path }) => path)] };
}

/**
 * The earlier content of one of the project's own tests, or of a file that tests compare with. Null if the file may
 * keep its current content.
 */
async function ownTestBefore(
  { artifacts, parsers }: EngineParts,
  { integrity, baseline, language, superseded = [] }: GateOptions,
  path: string,
  old: string | null,
  now: string | null,
): Promise<Buffer | null> {
  if (!integrity || !baseline || !language) return null;
  const { before } = integrity;
  const own = new Set(baseline.tests.map(({ file }) => file));
  const isLost = own.has(path)
    ? old !== null && (now === null || !(await saysTheSame(parsers, path, [old, now], superseded)))
    : isStoredAnswer(path, namingFiles(artifacts, before, own, superseded));
  return isLost ? artifacts.readFile(before, path) : null;
}
