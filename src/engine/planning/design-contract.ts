import { z } from "zod";
import { briefArchitect } from "../../agents/briefings/architect.ts";
import { ArchitectResult } from "../../agents/finish.ts";
import { checkContract } from "../../domain/plan/contract.ts";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import type { Language } from "../../languages/language.ts";
import { exampleGroups, requirementOfExample } from "../../verify/contract/example-groups.ts";
import { exampleTests } from "../../verify/contract/example-tests.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { WrittenTests } from "../testing/write-tests.ts";
import type { PlannedTask } from "./plan-task.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

const ARCHITECT_TURNS = 10;

/**
 * Where several todos must fit together, the architect writes down what they promise each other: tester and coder work
 * from it, and the result is checked against it. A contract that nobody could use is left out, and said.
 */
export async function designContract(run: Run, survey: Survey, planned: PlannedTask): Promise<PlannedTask> {
  const { request, settings } = run;
  const { architect = "never" } = settings;
  const isLarge = planned.size === "large" && planned.plan.todos.length > 1;
  if (architect === "never" || (architect === "auto" && !isLarge)) return planned;
  const { spec, plan } = planned;
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

/** The contract's examples run as tests once their code is there. They support no requirement: nobody looked whether they can fail. */
export async function withExamples(
  run: Run,
  tests: WrittenTests,
  { spec, plan }: PlannedTask,
  language: Language,
  paths: string[],
): Promise<WrittenTests> {
  if (!spec.contract) return tests;
  const groups = exampleGroups(spec.contract, plan);
  const all = { files: [...tests.files], guards: [...tests.guards] };
  for (const { todo, contract } of groups) {
    const known = [...paths, ...all.files.map((file) => file.path)];
    const path = language.testPath(groups.length === 1 ? "contract_examples" : `contract_examples_${todo}`, known);
    if (known.includes(path)) continue;
    const Examples = z.object({ content: z.string(), tests: z.array(z.string()) }).nullable();
    const made = await run.step(
      { kind: "tool", name: "contract-examples", input: { contract, path }, output: Examples, durable: false },
      () => exampleTests(run.parts.parsers, spec.language, contract, path),
    );
    if (!made) continue;
    // What stays is shown by tests that passed before, and these are about the new form.
    const shown = changesBehaviour(spec.kind) ? made.tests : [];
    const covers = shown.map((test) => ({
      test,
      requirement: requirementOfExample(test, contract, spec.requirements),
    }));
    all.files.push({ path, content: made.content, todo, covers });
    all.guards.push(...made.tests.map((test) => `${path}::${test}`));
  }
  return { ...tests, ...all };
}
