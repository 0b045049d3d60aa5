/**
 * Names of steps are a format: cassettes, forks, metrics and evidence find steps by them. This is the only file that
 * writes and reads them.
 *
 * The n-th step of a name on a strand has the path `<strand>/<name>/n`: `todo:parser/try:2/iteration:1/code/3` is the
 * third `iteration:1/code` of the second try of the todo `parser`. A strand is never used twice, so what is worked on
 * again has a name behind the one it had before.
 */
export const stepPath = (strand: string, name: string, count: number): string => `${strand}/${name}/${count}`;

/** The strand of the task itself. */
export const TASK_STRAND = "task";

export const todoStrand = (id: string): string => `todo:${id}`;

/** Where the merged tree of todos that ran at once is judged. */
export const MERGED_STRAND = "merged";

/** The whole change once more, after an unseen test was red. */
export const mendStrand = (round: number): string => `mend:${round}`;

/** What is done to the user's files after the task: `miracle apply` and `miracle undo`. */
export const deliveryStrand = (kind: "apply" | "undo", number: number): string => `${kind}:${number}`;

/** A changed plan is another edition; the first one, 0, has the plain name. */
export const editionStrand = (strand: string, edition: number): string =>
  edition === 0 ? strand : `${strand}/edition:${edition}`;

/** A todo that is begun anew; the first try has the plain name. */
export const tryStrand = (strand: string, attempt: number): string =>
  attempt === 1 ? strand : `${strand}/try:${attempt}`;

/** A todo that is worked again on what others did meanwhile. */
export const reworkStrand = (strand: string, number: number): string => `${strand}/rework:${number}`;

/** The debugger's branch of a todo, its candidates, and what a person says in the end. */
export const debugStrand = (strand: string): string => `${strand}/debug`;
export const candidateStrand = (strand: string, number: number): string => `${strand}/candidate:${number}`;
export const personStrand = (strand: string): string => `${strand}/person`;

/** The name of a step that belongs to one iteration of a todo: `iteration:2/code`. */
export const iterationStep = (iteration: number, name: string): string => `iteration:${iteration}/${name}`;

/** The name of the step that shortens the old turns of a conversation: `iteration:2/code-summary`. */
export const summaryStep = (name: string): string => `${name}-summary`;

/** The name of a step about one candidate, on the strand that compares them: `candidate:2/size`. */
export const candidateStep = (number: number, name: string): string => `candidate:${number}/${name}`;

/** What the path of every step on this strand, and on those behind it, begins with. */
export const pathsOn = (strand: string): string => `${strand}/`;

/** The todo whose strand this is, in whatever edition, try or branch of it. */
export const todoOfStrand = (strand: string): string | undefined => /^todo:([^/]+)/.exec(strand)?.[1];

/** The strand of a todo's step, by the path of that step; undefined for steps of no todo. */
export const strandOfTodo = (path: string): string | undefined =>
  /^todo:[^/]+(?:\/(?:edition|try|rework|candidate):\d+|\/debug|\/person)*/.exec(path)?.[0];

/** Which try of its todo a strand is. */
export const attemptOf = (strand: string): number => Number(/\/try:(\d+)/.exec(strand)?.[1] ?? 1);

/** What iterations are counted and limited in: the strand of an attempt, whatever edition of it, by a phase of its loop. */
export const attemptStrand = (path: string): string | undefined =>
  /^(.+)\/phase\/\d+$/.exec(path)?.[1]?.replace(/\/edition:\d+/, "");

/** Whether it mends what unseen tests found in a change that was green. */
export const isMending = (strand: string): boolean => /^mend:\d+/.test(strand);

/** The strand as people are told of it: that of a todo by its id alone. */
export const strandTitle = (strand: string): string => strand.replace(/^todo:/, "");

/** Who delivers on this strand. Null for the strands of todos: a step `branch` of theirs is the debugger's. */
export function delivererOf(strand: string): "task" | "apply" | "undo" | null {
  if (strand === TASK_STRAND) return "task";
  if (/^apply:\d+$/.test(strand)) return "apply";
  return /^undo:\d+$/.test(strand) ? "undo" : null;
}

/** The last word of a step's name: `code` of `todo:parser/iteration:2/code/3`. */
export const nameOf = (path: string): string => path.split("/").at(-2) ?? "";

/** The same without its number: `candidate` of `…/candidate:2/1`. What metrics count calls under. */
export const phaseOf = (path: string): string => nameOf(path).replace(/:.*$/, "");

/** The name of a step within its iteration, and null for a step of no iteration. */
export const nameInIteration = (path: string): string | null =>
  /\/iteration:\d+\/([^/]+)\/\d+$/.exec(path)?.[1] ?? null;

/** Whether this is the step of that name on the task's own strand. */
export const isTaskStep = (path: string, name: string): boolean => {
  const before = `${TASK_STRAND}/${name}/`;
  return path.startsWith(before) && /^\d+$/.test(path.slice(before.length));
};
