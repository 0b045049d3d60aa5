import { suiteLimits } from "../../languages/suite-limits.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { openedBy } from "../../verify/change/parts-by-reads.ts";
import type { GateRun } from "../../verify/gate/gate.ts";
import { isStoredAnswer, namingFiles, saysTheSame } from "../../verify/integrity/own-tests.ts";
import { restoredConfig } from "../../verify/integrity/restored-config.ts";
import { isTestConfig } from "../../verify/locks/test-config.ts";
import type { Change } from "../../workspace/changes.ts";
import type { Run } from "../hands/run.ts";
import type { GateOptions } from "./gate-options.ts";

const LARGEST_SOURCE = 500_000;

/**
 * Makes the tree that the gate judges. The configuration of the tests is put back to what it was before the coder; where
 * the goal names the file it is delivered, and tests run without it (`judged-tree.ts`). The project's own tests and the
 * answers that they compare with are put back, but for those that the goal makes obsolete.
 */
export async function restoreIntegrity(run: Run, options: GateOptions): Promise<Pick<GateRun, "tree" | "tampered">> {
  const { artifacts, journal, parsers } = run.parts;
  const { tree, integrity, tests, baseline, superseded = [] } = options;
  if (!integrity) return { tree };
  const given = new Set(tests.map((file) => file.path));
  const text = (from: string, path: string): string | null => {
    const content = artifacts.readFile(from, path);
    return content === null || content.length > LARGEST_SOURCE ? null : content.toString("utf8");
  };
  const isAsked = (path: string) => integrity.asked.includes(path.slice(path.lastIndexOf("/") + 1));
  const changes = artifacts.changes(integrity.before, tree).filter(({ path }) => !given.has(path));
  const own = new Set(baseline?.tests.map(({ file }) => file));
  const answers = await storedAnswers(run, options, changes, own);
  const removed: string[] = [];
  const replaced: { path: string; content: string | Buffer }[] = [];
  for (const { path, before, after } of changes) {
    const [old, now] = [before && text(integrity.before, path), after && text(tree, path)];
    const says = async () => now !== null && saysTheSame(parsers, path, [old ?? "", now], superseded);
    const isLost = own.has(path) ? old !== null && !(await says()) : answers.has(path);
    const content = isLost ? artifacts.readFile(integrity.before, path) : null;
    const restored = content ? { content } : isAsked(path) ? null : restoredConfig(path, old, now);
    if (restored && "remove" in restored) removed.push(path);
    else if (restored) replaced.push({ path, content: restored.content });
  }
  const without = removed.length === 0 ? tree : artifacts.withoutPaths(journal.task, tree, removed);
  const clean = replaced.length === 0 ? without : artifacts.overlay(journal.task, without, replaced);
  return { tree: clean, tampered: [...removed, ...replaced.map(({ path }) => path)] };
}

/**
 * Changed files that tests compare with: the project's own tests open them, and its code does not. Where nobody can tell
 * who opens what, names tell.
 */
async function storedAnswers(
  run: Run,
  { integrity, baseline, language, superseded = [] }: GateOptions,
  changes: readonly Change[],
  own: ReadonlySet<string>,
): Promise<Set<string>> {
  const data = changes.filter(({ path, before }) => before && !own.has(path) && !isTestConfig(path));
  const paths = data.map(({ path }) => path).filter((path) => grammarOf(path) === null);
  if (!integrity || !baseline || !language || paths.length === 0) return new Set();
  const { artifacts, checkouts, languages, sandbox, signal } = run.parts;
  const checkout = checkouts.named("gate");
  await checkout.renew(integrity.before);
  const { reads } = await traceTests({
    language,
    toolchain: await languages.toolchain(language, run.request.directory),
    sandbox,
    signal,
    limits: suiteLimits(run.settings.sandbox.limits, baseline),
    workspace: checkout.directory,
    files: [],
    paths: [],
    read: () => null,
  });
  if (!reads) {
    const files = namingFiles(artifacts, integrity.before, own, superseded);
    return new Set(paths.filter((path) => isStoredAnswer(path, files)));
  }
  const { byCode, byTests } = openedBy(reads, (path) => language.isTestFile(path));
  const obsolete = new Set(superseded.map((id) => id.split("::")[0] ?? id));
  return new Set(
    paths.filter((path) => {
      const readers = byTests.get(path) ?? [];
      return readers.length > 0 && !byCode.has(path) && !readers.some((reader) => obsolete.has(reader));
    }),
  );
}
