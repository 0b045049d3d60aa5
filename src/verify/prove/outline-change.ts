import type { TestReport } from "../../domain/evidence/test-report.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { type FileOutline, outlineFile } from "../locks/test-outline.ts";

/** The changed test files as they were and as they are, by path. */
export interface Outlines {
  before: ReadonlyMap<string, FileOutline>;
  after: ReadonlyMap<string, FileOutline>;
}

/** `meaning`: what the changed files of the tests mean, by their interpreters: other words may say the same. */
export async function outlineChange(
  artifacts: ArtifactStore,
  files: ChangedFile[],
  parsers: SyntaxParsers,
  meaning: ChangedMeaning,
): Promise<Outlines> {
  const outline = async (side: "before" | "after") => {
    const found = new Map<string, FileOutline>();
    for (const file of files.filter(({ part }) => part === "test")) {
      const text = textOf(artifacts, file, side);
      if (text === null) continue;
      const { tests, parts } = await outlineFile(file.path, text, parsers);
      const isSame = sameIn(meaning, file.path, side, text);
      const settle = <T extends { from: number; to: number }>(one: T) => ({ ...one, same: isSame(one) });
      found.set(file.path, { tests: tests.map(settle), parts: parts.map(settle) });
    }
    return found;
  };
  return { before: await outline("before"), after: await outline("after") };
}

const isOther = ({ relation }: UnitChange): boolean => relation !== "same" && relation !== "inert";

/** Which parts of a file have nothing in them that means something else on the other side. */
function sameIn({ changes, unreadable }: ChangedMeaning, path: string, side: "before" | "after", text: string) {
  if (unreadable.some((one) => one.path === path)) return () => false;
  const other = changes.filter(
    (change) => isOther(change) && (side === "before" ? (change.oldPath ?? change.path) : change.path) === path,
  );
  const ranges = other.flatMap((change) => change[side] ?? []);
  const lineOf = lineCounter(text);
  return ({ from, to }: { from: number; to: number }) =>
    !ranges.some((range) => range.from <= lineOf(Math.max(from, to - 1)) && lineOf(from) <= range.to);
}

/** Whether nothing of a file means something else than before. */
const meansTheSame = ({ changes, unreadable }: ChangedMeaning, { path, before, after }: ChangedFile): boolean =>
  grammarOf(path) !== null &&
  before?.kind === after?.kind &&
  !unreadable.some((one) => one.path === path) &&
  !changes.some((change) => change.path === path && isOther(change));

/**
 * Test files of the base that lean on something which the change edits beside them: helpers, fixtures, stored answers.
 * They name it, or stand below the configuration that brings it.
 */
export function leaningFiles(
  artifacts: ArtifactStore,
  base: string,
  files: ChangedFile[],
  before: TestReport | null,
  meaning: ChangedMeaning,
): Set<string> {
  const support = files.filter(
    (file) => isTestSide(file) && file.part !== "test" && file.before?.kind === "file" && !meansTheSame(meaning, file),
  );
  const names = support.map(({ path }) => (path.split("/").at(-1) ?? path).replace(/\.[^.]*$/, ""));
  const below = support.flatMap(({ path }) =>
    /(^|\/)conftest\.py$/.test(path) ? [path.replace(/conftest\.py$/, "")] : [],
  );
  const own = new Set(before?.tests.map(({ file }) => file));
  return new Set(
    [...own].filter((path) => {
      if (support.length === 0 || grammarOf(path) === null) return false;
      if (below.some((directory) => path.startsWith(directory))) return true;
      const text = artifacts.readFile(base, path)?.toString("utf8") ?? "";
      return names.some((name) => name !== "" && text.includes(name));
    }),
  );
}

function textOf(artifacts: ArtifactStore, file: ChangedFile, side: "before" | "after"): string | null {
  const entry = file[side];
  return entry?.kind === "file" ? artifacts.readBlob(entry.id).toString("utf8") : null;
}
