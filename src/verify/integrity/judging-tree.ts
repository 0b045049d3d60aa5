import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Change } from "../../workspace/changes.ts";
import { withAddedFixtures } from "../locks/added-fixtures.ts";
import { setupFiles } from "../locks/setup-files.ts";
import { isTestConfig, isWholeConfig, lockChanges, locksOf } from "../locks/test-config.ts";
import { testFields } from "../locks/test-settings.ts";
import { restoredConfig } from "./restored-config.ts";

interface JudgingParts {
  artifacts: ArtifactStore;
  task: string;
  parsers: SyntaxParsers;
}

/** The result of a change as its tests are run: with the settings of the base. */
export interface JudgingTree {
  tree: string;
  /** Files, or `file: field`, of which the change's own version was not used. */
  taken: string[];
  /** Settings that the change brings and that were used because the base has nothing to judge with. For people to see. */
  asked: string[];
}

/**
 * Only the base configures the judges: settings, plugins, loaders, setup files and test scripts are the base's, and of a
 * conftest.py only added fixtures are taken. What else such files say (`type`, `exports`, dependencies) stays with the
 * change. `isTest`: whether a path of the base is a test.
 */
export async function judgingTree(
  { artifacts, task, parsers }: JudgingParts,
  { base, result }: { base: string; result: string },
  files: readonly Change[],
  isTest: (path: string) => boolean,
  /** Whether settings of the change are used where the base has nothing to judge with. */
  { mayBegin = true }: { mayBegin?: boolean } = {},
): Promise<JudgingTree> {
  const paths = artifacts.list(base).map(({ path }) => path);
  const read = (path: string) => artifacts.readFile(base, path)?.toString("utf8") ?? null;
  const settings = files.filter(({ path }) => isTestConfig(path));
  const configures = (path: string) =>
    isWholeConfig(path) || (!path.endsWith(".json") && testFields(path, read(path)).length > 0);
  const isNew = mayBegin && !paths.some((path) => isTest(path) || (isTestConfig(path) && configures(path)));
  if (isNew) return { tree: result, taken: [], asked: settings.flatMap((file) => fieldsOf(artifacts, file)) };
  const loaded = await setupFiles(parsers, { paths, read });
  const known = askedNames(() =>
    paths.filter((path) => isTest(path) || path.endsWith("conftest.py")).flatMap((path) => read(path) ?? []),
  );
  const put: { path: string; content: string }[] = [];
  const back: string[] = [];
  const taken: string[] = [];
  for (const file of files) {
    const { path, before } = file;
    const text = (side: "before" | "after") => {
      const entry = file[side];
      return entry?.kind === "file" ? artifacts.readBlob(entry.id).toString("utf8") : null;
    };
    const [old, now] = [text("before"), text("after")];
    const isFixtures = /(^|\/)conftest\.py$/.test(path) || (loaded.has(path) && path.endsWith(".py"));
    if (isFixtures) {
      const content = await withAddedFixtures(parsers, old ?? "", now ?? "", known);
      if (content === now) continue;
      taken.push(path);
      if (content === old || (content.trim() === "" && before === null)) back.push(path);
      else put.push({ path, content });
      continue;
    }
    if (loaded.has(path) || isWholeConfig(path)) {
      taken.push(path);
      back.push(path);
      continue;
    }
    const restored = isTestConfig(path) ? restoredConfig(path, old, now) : null;
    if (restored === null) continue;
    taken.push(...fieldsOf(artifacts, file));
    if ("remove" in restored) back.push(path);
    else put.push({ path, content: restored.content });
  }
  const without = back.length === 0 ? result : artifacts.restore(task, result, base, back);
  const tree = put.length === 0 ? without : artifacts.overlay(task, without, put);
  return { tree, taken: taken.sort(), asked: [] };
}

/** The fields about tests in which the two versions of a file differ. */
function fieldsOf(artifacts: ArtifactStore, { path, before, after }: Change): string[] {
  const locks = (entry: Change["before"]) =>
    entry?.kind === "file" ? locksOf(path, artifacts.readBlob(entry.id).toString("utf8")) : [];
  return lockChanges(locks(before), locks(after)).map(({ field }) =>
    field === undefined ? path : `${path}: ${field}`,
  );
}

/** Whether a function of these texts asks for a fixture of this name; they are read when somebody wants to know first. */
function askedNames(texts: () => string[]): (name: string) => boolean {
  let names: Set<string> | undefined;
  return (name) => {
    names ??= new Set(
      texts().flatMap((text) => [...text.matchAll(ASKS)].flatMap(([given]) => given.match(/\w+/g) ?? [])),
    );
    return names.has(name);
  };
}

const ASKS = /\bdef\s+\w+\s*\([^)]*\)|\b(usefixtures|getfixturevalue)\([^)]*\)/g;
