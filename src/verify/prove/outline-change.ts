import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { outlineTests, type TestOutline } from "../locks/test-outline.ts";
import type { Outlines } from "./compare-tests.ts";

/** The tests of every changed test file, as they were and as they are. */
export async function outlineChange(
  artifacts: ArtifactStore,
  files: ChangedFile[],
  parsers: SyntaxParsers,
): Promise<Outlines> {
  const tests = files.filter(({ part }) => part === "test");
  const outline = async (side: "before" | "after") => {
    const found = new Map<string, TestOutline>();
    for (const file of tests) {
      const entry = file[side];
      if (entry?.kind !== "file") continue;
      const text = artifacts.readBlob(entry.id).toString("utf8");
      for (const test of await outlineTests(file.path, text, parsers)) found.set(`${file.path}::${test.name}`, test);
    }
    return found;
  };
  return { before: await outline("before"), after: await outline("after") };
}
