import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { foundationOf } from "../../domain/plan/plan-graph.ts";
import type { Language } from "../../languages/language.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import type { Run } from "../hands/run.ts";
import type { PlannedTask } from "../planning/plan-task.ts";
import { projectView, type Survey, type Tools } from "../planning/survey.ts";
import { placeTests } from "../testing/place-tests.ts";
import type { WrittenTests } from "../testing/written-tests.ts";
import { type RewrittenTests, withRewritten } from "../testing/written-tests.ts";
import { acceptanceOf } from "../todo/todo-conditions.ts";
import type { TodoWork, UnseenOfTodo } from "../todo/todo-work.ts";
import type { Begun } from "./plan-progress.ts";

/** Everything that the todos of one task have in common. */
export interface PlanWork {
  planned: PlannedTask;
  /** Where the first todo begins. */
  start: Survey;
  language: Language;
  tools: Tools;
  tests: WrittenTests;
  baseline: TestReport | null;
  quarantined: string[];
  checks: ProjectCheck[];
  /** Raised whenever the plan is gone on with after an interruption; absent in the first. */
  edition?: number;
  /** Paths of tests that were taken back. */
  gone?: string[];
  /** What the person said that no todo is left to hear. */
  unheard?: string[];
}

/** The plan with given tests as todos had them rewritten. */
export const withRewrites = <Plan extends PlanWork>(plan: Plan, rewritten: readonly RewrittenTests[]): Plan =>
  rewritten.length === 0 ? plan : { ...plan, tests: withRewritten(plan.tests, rewritten) };

/** Strands are never used twice: the work of a later edition has names of its own. */
export const strandName = (name: string, { edition = 0 }: Pick<PlanWork, "edition">): string =>
  edition === 0 ? name : `${name}/edition:${edition}`;

/**
 * The work of one todo on a tree that holds `done`: their tests and its own are due. Without a todo it is that of the
 * whole plan.
 */
export async function workFor(
  run: Run,
  plan: PlanWork,
  {
    todo,
    tree: from,
    done,
    begun,
  }: { todo?: Todo; tree: string; done: ReadonlySet<string>; begun?: Begun | undefined },
): Promise<TodoWork> {
  const { planned, start, language, tools, tests, baseline, quarantined, checks, edition = 0 } = plan;
  const { spec, size } = planned;
  const small = size === "small";
  const isLast = planned.plan.todos.every(({ id }) => id === todo?.id || done.has(id));
  const due = tests.files.filter((file) => file.todo === todo?.id || done.has(file.todo));
  // What an earlier edition left may hold tests that are a later todo's by now: nobody could turn them green yet.
  const early = edition === 0 ? [] : tests.files.filter((file) => !due.includes(file)).map(({ path }) => path);
  const gone = [...(plan.gone ?? []), ...early];
  const about = todo && todo.artifacts.length > 0 ? todo.artifacts : planned.relevantFiles;
  const placed = await placeTests(run, from, due, about, language, gone);
  const goOn = begun && (await placeTests(run, begun.tree, due, [], language, gone));
  const terse = run.settings.terse && small;
  return {
    spec,
    ...(todo && { todo }),
    small,
    project: projectView({ ...start, ...placed }, terse ? {} : tools.versions, small && placed.shown.length > 0, terse),
    files: placed.shown,
    language,
    tests: due,
    baseline,
    ids: tests.ids,
    checks,
    quarantined,
    accept: [...(todo ? acceptanceOf(todo) : []), ...(isLast ? spec.accept : [])],
    tree: placed.tree,
    ...(begun && goOn && { goOn: { tree: goOn.tree, after: begun.after }, notes: begun.notes, met: begun.met }),
    whole: isLast,
    ...(todo && { unseen: unseenOf(plan, todo), wanted: { survey: start, planned, language, tools } }),
    guards: tests.guards,
  };
}

function unseenOf({ tests, start }: PlanWork, todo: Todo): UnseenOfTodo {
  const files = tests.heldOutFiles.filter((file) => file.todo === todo.id);
  const paths = new Set(files.map(({ path }) => path));
  return { files, tests: tests.heldOut.filter(({ file }) => paths.has(file)), before: start.tree };
}

/** What a todo stands on, without itself. */
export function below({ planned }: PlanWork, todo: Todo): Set<string> {
  const ids = foundationOf(planned.plan, todo.id);
  ids.delete(todo.id);
  return ids;
}
