import { z } from "zod";
import { ShownFile } from "../../agents/shown-files.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import type { Run } from "../hands/run.ts";
import { mostTelling, readShown, Survey } from "../planning/survey.ts";

const Placed = Survey.pick({ tree: true, paths: true, files: true }).extend({ shown: z.array(ShownFile) });
export type Placed = z.infer<typeof Placed>;

export interface TestsToPlace {
  from: string;
  due: TestFile[];
  /** Files that the coder is shown, as they are at that time. */
  shown: string[];
  language: Language;
  /** Paths to remove from the tree. */
  gone: string[];
}

/**
 * Puts the due tests into the tree the coder starts from and removes tests that no longer count. Then it reads the
 * shown files from that tree, because earlier todos have changed it.
 */
export function placeTests(run: Run, { from, due, shown: paths, language, gone }: TestsToPlace): Promise<Placed> {
  const tests = due.map(({ path, content }) => ({ path, content }));
  const relevant = paths.filter((path) => !language.isTestFile(path));
  const input = { tree: from, tests, relevant, ...(gone.length > 0 && { gone }) };
  // The next model call makes this step durable.
  const step = { kind: "tool", name: "place-tests", input, output: Placed, durable: false } as const;
  return run.step(step, async () => {
    const { task } = run.parts.journal;
    const without = gone.length > 0 ? run.parts.artifacts.withoutPaths(task, from, gone) : from;
    const tree = run.parts.artifacts.overlay(task, without, tests);
    const paths = run.parts.artifacts.list(tree).map((entry) => entry.path);
    const shown = readShown(run.parts.artifacts, tree, relevant);
    return { tree, paths: mostTelling(paths), files: paths.length, shown };
  });
}
