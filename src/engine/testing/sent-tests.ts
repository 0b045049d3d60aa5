import type { TesterResult } from "../../agents/finish.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { replaceOnce } from "../../workspace/text-edit.ts";

/** Told with every objection: a tester that sends all of it again pays for it twice. */
export const KEPT = "The files that you sent are kept: send only what changes, as `edits` or as a whole file.";

/** The tests as they stand after an answer: what was kept, with the files and edits that were sent now. */
export function withSent(
  kept: readonly TestFile[],
  { files, edits = [] }: TesterResult,
): { files: TestFile[] } | { problem: string } {
  const sent = new Set(files.map(({ path }) => path));
  const all = [...kept.filter(({ path }) => !sent.has(path)), ...files];
  try {
    for (const { path, oldText, newText } of edits) {
      const at = all.findIndex((file) => file.path === path);
      const file = all[at];
      if (!file) return { problem: `${path} was not sent before: send the whole file` };
      all[at] = { ...file, content: replaceOnce(path, file.content, oldText, newText) };
    }
  } catch (error) {
    if (error instanceof TerminalFailure) return { problem: error.message };
    throw error;
  }
  return { files: all };
}
