import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { foundationOf } from "../../domain/plan/plan-graph.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { acceptanceOf } from "../../domain/plan/todo-demands.ts";
import type { Language } from "../../languages/language.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import type { Run } from "../hands/run.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import { projectView, type Survey, type Tools } from "../planning/survey.ts";
import { type Placed, placeTests } from "../testing/place-tests.ts";
import type { WrittenTests } from "../testing/written-tests.ts";
import { type RewrittenTests, withRewritten } from "../testing/written-tests.ts";
import { type Attempt, firstAttempt, type GivenTests, resumedFrom } from "../todo/attempt.ts";
import type { PlannedTodo, TodoWork, UnseenOfTodo } from "../todo/todo-work.ts";
import type { Begun } from "./plan-progress.ts";

/** What all todos of one task have in common. */
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
  /** Rises each time the plan continues after an interruption. */
  edition: number;
  /** Paths of tests that were withdrawn. */
  gone: string[];
  /** Messages of the person that came too late for any todo. */
  unheard: string[];
}

/** The plan, with the given tests and the contract as todos had them rewritten. */
export function withRewrites<Plan extends PlanWork>(
  plan: Plan,
  { rewritten, contract }: { rewritten: readonly RewrittenTests[]; contract?: Contract | undefined },
): Plan {
  const { planned } = plan;
  const now = contract ? { ...plan, planned: { ...planned, spec: { ...planned.spec, contract } } } : plan;
  return rewritten.length === 0 ? now : { ...now, tests: withRewritten(now.tests, rewritten) };
}

/** A piece of work at its beginning. */
export interface BegunWork<Work extends TodoWork = TodoWork> {
  work: Work;
  attempt: Attempt;
}

/** Where a piece of work begins. */
export interface Beginning {
  tree: string;
  /** Todos whose work `tree` holds. Their tests are due, too. */
  done: ReadonlySet<string>;
}

/** Begins one todo on a tree that holds the finished todos, or continues it if it was begun before. */
export async function beginTodo(
  run: Run,
  plan: PlanWork,
  todo: Todo,
  { tree, done, begun }: Beginning & { begun?: Begun | undefined },
): Promise<BegunWork<PlannedTodo>> {
  const { planned, start, language, tools } = plan;
  const { spec } = planned;
  const { due, gone, isLast } = dueIn(plan, done, todo);
  const about = todo.artifacts.length > 0 ? todo.artifacts : planned.relevantFiles;
  const placed = await placeTests(run, { from: tree, due, shown: about, language, gone });
  const resumed = begun && (await placeTests(run, { from: begun.tree, due, shown: [], language, gone }));
  const wanted = { survey: start, planned, language, tools };
  const first = firstAttempt({ name: todo.id, tree: placed.tree, tests: givenTests(plan, due) });
  const again = begun &&
    resumed && {
      ...resumedFrom(first, resumed.tree, begun.after),
      notes: begun.notes,
      openErrors: begun.openErrors,
    };
  return {
    work: {
      ...sharedWork(plan, placed),
      language,
      subject: { kind: "todo", spec, todo, wanted, unseen: unseenOf(plan, todo) },
      accept: [...acceptanceOf(todo), ...(isLast ? spec.accept : [])],
      whole: isLast,
    },
    attempt: again ?? first,
  };
}

/** Begins the work on all todos together, on a tree that holds the work of each. */
export async function beginWhole(run: Run, plan: PlanWork, { tree, done }: Beginning): Promise<BegunWork> {
  const { planned, language } = plan;
  const { spec, relevantFiles } = planned;
  const { due, gone } = dueIn(plan, done);
  const placed = await placeTests(run, { from: tree, due, shown: relevantFiles, language, gone });
  return {
    work: { ...sharedWork(plan, placed), subject: { kind: "plan", spec }, accept: spec.accept, whole: true },
    attempt: firstAttempt({ name: "merged", tree: placed.tree, tests: givenTests(plan, due) }),
  };
}

/** The tests that are due on a tree that holds `done`, and the paths that must be removed from it. */
function dueIn({ planned, tests, edition, gone }: PlanWork, done: ReadonlySet<string>, todo?: Todo) {
  const isLast = planned.plan.todos.every(({ id }) => id === todo?.id || done.has(id));
  const due = tests.files.filter((file) => file.todo === todo?.id || done.has(file.todo));
  // The tree of an earlier edition may hold tests that now belong to a later todo. No coder could turn them green yet.
  const early = edition === 0 ? [] : tests.files.filter((file) => !due.includes(file)).map(({ path }) => path);
  return { due, gone: [...gone, ...early], isLast };
}

function sharedWork({ planned, start, language, tools, baseline, quarantined, checks }: PlanWork, placed: Placed) {
  const small = planned.size === "small";
  const { shown: files } = placed;
  const project = projectView({ ...start, ...placed }, small ? {} : tools.versions, small && files.length > 0);
  return { base: start.tree, small, project, files, language, baseline, quarantined, checks };
}

const givenTests = ({ tests: { ids, guards } }: PlanWork, files: TestFile[]): GivenTests => ({ files, ids, guards });

function unseenOf({ tests, start }: PlanWork, todo: Todo): UnseenOfTodo {
  const files = tests.heldOutFiles.filter((file) => file.todo === todo.id);
  const paths = new Set(files.map(({ path }) => path));
  return { files, tests: tests.heldOut.filter(({ file }) => paths.has(file)), before: start.tree };
}

/** The todos that this todo depends on, without itself. */
export function below({ planned }: PlanWork, todo: Todo): Set<string> {
  const ids = foundationOf(planned.plan, todo.id);
  ids.delete(todo.id);
  return ids;
}
