import { z } from "zod";

/** How far a task is to be worked on: only as far as to its plan, or to its end. */
export const Purpose = z.enum(["plan", "work"]);
export type Purpose = z.infer<typeof Purpose>;

/** The names are parts of a key in the database. */
const name = z.string().max(500);

const label = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);

/** As many as a person may ask for. */
export const WishedLabels = z.array(label).max(16);

/** A task that somebody is to work on, or one todo of it that its worker lends. */
export const Job = z.object({
  task: name,
  /** The strand of the todo; absent: the whole task. */
  todo: name.optional(),
  purpose: Purpose,
  /** For whom it is done, and on what: they take turns. */
  person: name,
  project: name,
  /** Higher ones come first, among those of the same person. */
  priority: z.int().min(-1000).max(1000),
  /** What a worker must have. */
  labels: z.array(label).max(32),
  /** The request that asked for it. */
  request: name.nullable(),
});
export type Job = z.infer<typeof Job>;

/** One text for each job that can wait: a task and its todos wait beside each other. Ids of tasks have no spaces. */
export const jobKey = ({ task, todo }: Pick<Job, "task" | "todo">): string =>
  todo === undefined ? task : `${task} ${todo}`;

/** A job in the hands of a worker. */
export interface Taken extends Job {
  /** Names this lease: one that has lapsed settles nothing. */
  lease: string;
  /** Workers that had it before and did not settle it. */
  before: string[];
}

/** Who takes jobs, and which ones it can do. */
export interface Worker {
  /** Unique among all workers. */
  name: string;
  labels: readonly string[];
  /** Null: all of them. */
  projects: readonly string[] | null;
}

export const canDo = (worker: Omit<Worker, "name">, job: Pick<Job, "project" | "labels">): boolean =>
  (worker.projects === null || worker.projects.includes(job.project)) &&
  job.labels.every((label) => worker.labels.includes(label));
