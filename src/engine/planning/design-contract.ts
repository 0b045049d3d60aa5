import { briefArchitect } from "../../agents/briefings/architect.ts";
import { ArchitectResult } from "../../agents/finish.ts";
import { checkContract } from "../../domain/plan/contract.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { PlannedTask } from "./planned-task.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

const ARCHITECT_TURNS = 10;

/**
 * Where several todos must fit together, the architect writes down what they promise each other. Tester and coder work
 * from this contract, and the result is checked against it. An unusable contract is left out, with a warning.
 */
export async function designContract(run: Run, survey: Survey, planned: PlannedTask): Promise<PlannedTask> {
  const { request, settings } = run;
  const { architect } = settings;
  // Who gave a plan with a contract said what the parts promise each other.
  if (planned.spec.contract) return planned;
  const { spec, plan, size } = planned;
  const isWanted = (size === "large" && plan.todos.length > 1) || plan.todos.some(({ role }) => role === "architect");
  if (architect === "never" || (architect === "auto" && !isWanted)) return planned;
  const made = await run.ask("architect", {
    name: "design",
    briefing: [
      briefArchitect({ goal: goalBesideSpec(request), spec, todos: plan.todos, project: projectView(survey, {}) }),
    ],
    result: ArchitectResult,
    workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
    maxTurns: ARCHITECT_TURNS,
    check: async ({ contract }) => {
      if (contract.language !== spec.language) return `the language is ${spec.language}`;
      const [problem] = checkContract(contract);
      return problem && `${problem.path.join(".") || "contract"}: ${problem.message}`;
    },
  });
  await run.note(
    { kind: "decision", name: "contract", input: { made } },
    made
      ? { type: "contract-made", contract: made.contract, design: made.design }
      : { type: "warning-raised", code: "contract.none", message: "the architect gave no usable contract" },
  );
  return made ? { ...planned, spec: { ...spec, contract: made.contract } } : planned;
}
