import { changesBehaviour } from "../../domain/plan/spec.ts";
import { judge } from "../../verify/gate/gate.ts";
import type { FinishLine } from "../hands/finish-line.ts";
import type { Run } from "../hands/run.ts";
import type { Attempt } from "./attempt.ts";
import { supersededBy } from "./judge-attempt.ts";
import { specOf, type TodoWork, todoOf } from "./todo-work.ts";

/**
 * What ends the coder's work by itself: a green run of the given tests, and the commands that must succeed. Undefined
 * where green tests do not show that the work is done: they were green before, or the coder has no way to say that
 * there is more to do.
 */
export function finishLineOf(run: Run, work: TodoWork, { tests }: Attempt): FinishLine | undefined {
  const spec = specOf(work);
  if (!spec || !changesBehaviour(spec.kind) || !canGoOn(run)) return undefined;
  const todo = todoOf(work)?.id;
  const guards = new Set(tests.guards);
  const own = tests.files.filter((file) => todo === undefined || file.todo === todo);
  const isRedBefore = own.some(({ path, covers }) => covers.some(({ test }) => !guards.has(`${path}::${test}`)));
  if (!isRedBefore) return undefined;
  const { baseline, quarantined, accept, checks } = work;
  return {
    commands: [...accept, ...checks.map(({ command }) => command)],
    isGreen: (report) => {
      // Who ran a part of the suite is judged by that part.
      const ran = new Set(report.tests.map(({ id }) => id));
      const before = baseline && { ...baseline, tests: baseline.tests.filter(({ id }) => ran.has(id)) };
      const expected = { files: tests.files, ids: tests.ids, baseline: before, quarantined };
      return judge({ tree: "", report, accept: [] }, { ...expected, superseded: supersededBy(spec) }).passed;
    },
  };
}

/** Tasks that were begun before this existed have a coder that knows nothing of it, and go on as they began. */
export const canGoOn = (run: Run): boolean =>
  run.frozenFor("coder").tools.some(({ name, parameters }) => {
    const { properties } = parameters;
    return name === "run_tests" && typeof properties === "object" && properties !== null && "goOn" in properties;
  });
