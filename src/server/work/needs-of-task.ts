import type { App } from "../../app.ts";
import { FORMAT } from "../../journal/frozen.ts";
import { readFormat, readFrozen } from "../../journal/journal.ts";

/** A worker reads tasks of one format. */
export const formatLabel = (format: number): string => `format-${format}`;

/** A task without a tree of its own is done where its directory is. */
export const DIRECTORY_LABEL = "directory";

/** What a worker must have for this task, in the words of labels: its format, its language, its directory. */
export async function needsOfTask(home: App, task: string): Promise<string[]> {
  const recording = await home.recording(task);
  const format = await readFormat(recording);
  // Only who reads that format knows more of it.
  if (format !== FORMAT) return [formatLabel(format)];
  const { base } = (await readFrozen(recording)).request;
  if (!base) return [formatLabel(format), DIRECTORY_LABEL];
  return [formatLabel(format), ...(base.language === null ? [] : [base.language])];
}
