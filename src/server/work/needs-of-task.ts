import type { App } from "../../app.ts";
import { FORMAT } from "../../journal/frozen.ts";
import { readFormat, readFrozen } from "../../journal/journal.ts";

/** A worker reads tasks of one format. */
export const formatLabel = (format: number): string => `format-${format}`;

/** A task without a tree of its own is done where its directory is. */
export const DIRECTORY_LABEL = "directory";

/** What a worker takes: whole tasks, todos that other workers lend, or both. Each is a label. */
export const WORKER_ROLES = ["tasks", "todos"] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

/** Which Miracle it is: only the same one goes on in the middle of a plan. */
export const versionLabel = (version: string): string =>
  `version-${version.toLowerCase()}`.replace(/[^a-z0-9._-]/g, "-");

/** What a job of a lent todo asks of its worker, beside what its task does. */
export const needsOfTodo = (task: string[], { language, version }: { language: string; version: string }): string[] => {
  const role: WorkerRole = "todos";
  const whole: WorkerRole = "tasks";
  return [...new Set([...task.filter((label) => label !== whole), role, language, versionLabel(version)])];
};

/** What a worker must have for this task, in the words of labels: its format, its language, its directory, its role. */
export async function needsOfTask(home: App, task: string): Promise<string[]> {
  const role: WorkerRole = "tasks";
  const recording = await home.recording(task);
  const format = await readFormat(recording);
  // Only who reads that format knows more of it.
  if (format !== FORMAT) return [formatLabel(format), role];
  const { base } = (await readFrozen(recording)).request;
  if (!base) return [formatLabel(format), DIRECTORY_LABEL, role];
  return [formatLabel(format), ...(base.language === null ? [] : [base.language]), role];
}
