import type { TestReport } from "../../domain/evidence/test-report.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { type FileOutline, outlineFile } from "../locks/test-outline.ts";

/** The changed test files as they were and as they are, by path. */
export interface Outlines {
  before: ReadonlyMap<string, FileOutline>;
  after: ReadonlyMap<string, FileOutline>;
}

export async function outlineChange(
  artifacts: ArtifactStore,
  files: ChangedFile[],
  parsers: SyntaxParsers,
): Promise<Outlines> {
  const outline = async (side: "before" | "after") => {
    const found = new Map<string, FileOutline>();
    for (const file of files.filter(({ part }) => part === "test")) {
      const text = textOf(artifacts, file, side);
      if (text !== null) found.set(file.path, await outlineFile(file.path, text, parsers));
    }
    return found;
  };
  return { before: await outline("before"), after: await outline("after") };
}

/**
 * Test files of the base that lean on something which the change edits beside them: helpers, fixtures, stored answers.
 * They name it, or stand below the configuration that brings it.
 */
export function leaningFiles(
  artifacts: ArtifactStore,
  base: string,
  files: ChangedFile[],
  before: TestReport | null,
): Set<string> {
  const support = files.filter((file) => isTestSide(file) && file.part !== "test" && file.before?.kind === "file");
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
