import { checkPlan } from "./check-plan.ts";
import { orderTodos, type Plan, Todo } from "./plan.ts";
import { foundationOf, topsOf, withoutCollisions } from "./plan-graph.ts";
import type { TestFile } from "./test-file.ts";

/** A todo as the planner writes it anew; what it leaves out stays as it was. */
export type ProposedTodo = Pick<Todo, "id" | "title" | "dependsOn" | "requirements" | "artifacts"> &
  Partial<Pick<Todo, "description" | "priority" | "files" | "acceptance">>;

/** Where a plan stands when it is changed. */
export interface PlanStand {
  plan: Plan;
  done: ReadonlySet<string>;
  /** Ids of all requirements, as they are from now on. */
  requirements: string[];
  /** Those that are new or changed: no finished todo can have fulfilled them. */
  open?: string[];
  /** Todos as a person wrote them: the planner may change neither their acceptance nor what they may write. */
  given?: readonly Todo[];
}

/** A person's plan may be of any size; how much a planner adds to it at once is bounded. */
const MOST_ADDED = 10;

/**
 * The plan with other todos in the place of those that are left. What is done stays, and stands first: its work was
 * merged in this order. Todos that might write the same files are worked on in turn.
 */
export function updatedPlan({ plan, done, requirements, given = [] }: PlanStand, proposed: ProposedTodo[]): Plan {
  const known = new Set(requirements);
  const finished = plan.todos
    .filter(({ id }) => done.has(id))
    .map((todo) => ({ ...todo, requirements: todo.requirements.filter((id) => known.has(id)) }));
  const tops = topsOf({ todos: finished }, done).map(({ id }) => id);
  const left = proposed
    .filter(({ id }) => !done.has(id))
    .map((todo) => {
      const old = plan.todos.find(({ id }) => id === todo.id);
      const theirs = given.find(({ id }) => id === todo.id);
      const merged = withGiven(theirs, Todo.parse({ ...old, ...withoutGaps(todo) }));
      // What is new begins from everything that is done, whatever it says.
      return old ? merged : { ...merged, dependsOn: [...new Set([...merged.dependsOn, ...tops])] };
    });
  const todos = orderTodos({ todos: [...finished, ...left] }, done);
  const inTurn = withoutCollisions({ todos }).todos;
  return { todos: inTurn.map((todo) => finished.find(({ id }) => id === todo.id) ?? todo) };
}

function withGiven(theirs: Todo | undefined, todo: Todo): Todo {
  if (!theirs) return todo;
  const acceptance = [...new Set([...theirs.acceptance, ...todo.acceptance])];
  return { ...todo, acceptance, ...(theirs.files && { files: theirs.files }) };
}

const withoutGaps = (todo: ProposedTodo): object =>
  Object.fromEntries(Object.entries(todo).filter(([, value]) => value !== undefined));

/** Why the plan cannot be changed like this, in one line for the planner; undefined when it can. */
export function updateProblem(stand: PlanStand, plan: Plan): string | undefined {
  const { done, requirements, open = [] } = stand;
  const added = plan.todos.length - stand.plan.todos.length;
  if (added > MOST_ADDED) return `${added} todos more than before are too many: at most ${MOST_ADDED}`;
  const [problem] = checkPlan(plan, requirements).filter(({ todo }) => !done.has(todo));
  if (problem) return problem.message;
  const lost = lostDemand(stand, plan);
  if (lost !== undefined) return lost;
  const unmet = open.find((id) => !plan.todos.some((todo) => !done.has(todo.id) && todo.requirements.includes(id)));
  return unmet === undefined
    ? undefined
    : `${unmet} is new or changed: a todo that is not done must fulfil it, so give it to one that is left or add one`;
}

/** A demand of the person's that this plan would drop. */
function lostDemand({ done, given = [] }: PlanStand, { todos }: Plan): string | undefined {
  const gone = given.find(
    ({ id, acceptance, postconditions = [], metrics = [] }) =>
      acceptance.length + postconditions.length + metrics.length > 0 && !todos.some((todo) => todo.id === id),
  );
  if (gone) return `the person said what must succeed when ${gone.id} is done: keep it, and put others before it`;
  if (given.length === 0 || given.some(({ files }) => files === undefined)) return undefined;
  const allowed = new Set(given.flatMap(({ files = [] }) => files));
  const wide = todos.find(({ id, files = ["**"] }) => !done.has(id) && files.some((glob) => !allowed.has(glob)));
  return (
    wide && `the person said which files may be written: give ${wide.id} \`files\` out of ${[...allowed].join(", ")}`
  );
}

/**
 * The test files, each with the todo after which it must be green: the first that stands on everything which fulfils
 * what the file covers. Those of finished todos stay where they are.
 */
export function withHomes(
  files: TestFile[],
  plan: Plan,
  done: ReadonlySet<string>,
): { files: TestFile[] } | { problem: string } {
  const homed: TestFile[] = [];
  for (const file of files) {
    const home = done.has(file.todo) ? file.todo : homeOf(file, plan, done);
    if (home === undefined) {
      const ids = [...new Set(file.covers.map(({ requirement }) => requirement))].join(", ");
      return {
        problem: `${ids} are tested together: let one todo fulfil them, or let one of their todos depend on the others`,
      };
    }
    homed.push(home === file.todo ? file : { ...file, todo: home });
  }
  return { files: homed };
}

function homeOf({ todo, covers }: TestFile, plan: Plan, done: ReadonlySet<string>): string | undefined {
  const needed = plan.todos.filter(({ requirements }) =>
    covers.some(({ requirement }) => requirements.includes(requirement)),
  );
  const isEnough = (id: string) => {
    const foundation = foundationOf(plan, id);
    return needed.every((one) => foundation.has(one.id));
  };
  const left = plan.todos.filter(({ id }) => !done.has(id));
  if (left.some(({ id }) => id === todo) && isEnough(todo)) return todo;
  return (left.find(({ id }) => isEnough(id)) ?? plan.todos.find(({ id }) => isEnough(id)))?.id;
}
