import { z } from "zod";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import type { Language } from "../../languages/language.ts";
import { exampleGroups, requirementOfExample } from "../../verify/contract/example-groups.ts";
import { exampleTests } from "../../verify/contract/example-tests.ts";
import type { Run } from "../hands/run.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import type { WrittenTests } from "./written-tests.ts";

/**
 * Adds the contract's examples as tests that run once their code exists. They support no requirement: nobody checked
 * whether they can fail.
 */
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
    // For a goal that keeps behaviour, tests that passed before are the proof. The examples are about the new form.
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
