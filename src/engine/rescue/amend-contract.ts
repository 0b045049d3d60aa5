import { z } from "zod";
import { briefContractAmendment } from "../../agents/briefings/claim.ts";
import { ContractAmendment } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { ToolSchema } from "../../domain/message.ts";
import { amendedContract } from "../../domain/plan/amend-contract.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { exampleGroups, isExampleFile } from "../../verify/contract/example-groups.ts";
import { exampleTests } from "../../verify/contract/example-tests.ts";
import { specText } from "../../verify/held-out/quote.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import type { PlannedTodo } from "../todo/todo-work.ts";
import type { TestClaim } from "./test-claim.ts";

const TURNS = 4;

/** What the contract is from now on, and the tests made from its examples. */
export interface AmendedContract {
  contract: Contract;
  examples: RewrittenTests[];
}

/**
 * The contract goes against the requirements, as its architect ruled: the architect amends it, as a diff. Null: no
 * usable answer, and a person decides.
 */
export async function amendContract(run: Run, claim: TestClaim, why: string): Promise<AmendedContract | null> {
  const { work, attempt } = claim;
  const { spec, wanted } = work.subject;
  const { contract: old, ...bare } = spec;
  if (!old) return null;
  const form = z.lazy(() => ToolSchema.unwrap().shape.parameters);
  const finish = await run.step(
    { kind: "decision", name: "contract-form", input: null, output: form, durable: false },
    async () => parametersOf(ContractAmendment),
  );
  let contract: Contract | undefined;
  const answer = await run.ask("architect", {
    name: "amend-contract",
    briefing: [briefContractAmendment({ spec: specText(run.request.goal, bare), contract: old, why })],
    result: ContractAmendment,
    finish,
    // The tree before any todo: what the requirements say decides, not what the code does.
    workbench: readingBench(run, work.language, wanted.survey.tree),
    maxTurns: TURNS,
    check: async ({ edits }) => {
      const amended = amendedContract(old, edits);
      if ("problem" in amended) return amended.problem;
      ({ contract } = amended);
      return undefined;
    },
  });
  if (!answer || !contract) return null;
  const examples = await examplesOf(run, work.subject, contract, attempt.tests.files);
  const { reason, edits } = answer;
  await run.note(
    { kind: "decision", name: "contract-amended", input: { contract, edits, reason } },
    { type: "contract-amended", contract, edits, reason },
  );
  return { contract, examples };
}

/** The tests made from the old examples, as the new ones have them. */
async function examplesOf(
  run: Run,
  { spec, wanted }: PlannedTodo["subject"],
  contract: Contract,
  given: TestFile[],
): Promise<RewrittenTests[]> {
  const made: RewrittenTests[] = [];
  const groups = exampleGroups(contract, wanted.planned.plan);
  for (const { path, todo } of given.filter((file) => isExampleFile(file.path))) {
    const part = groups.find((group) => group.todo === todo)?.contract ?? { ...contract, functions: [] };
    const output = z.object({ content: z.string(), tests: z.array(z.string()) }).nullable();
    const step = { kind: "tool", name: "contract-examples", input: { contract: part, path }, output } as const;
    const written = await run.step({ ...step, durable: false }, () =>
      exampleTests(run.parts.parsers, spec.language, part, path),
    );
    const guards = (written?.tests ?? []).map((test) => `${path}::${test}`);
    made.push({ file: { path, content: written?.content ?? "", todo, covers: [] }, guards, ids: [], replaced: [] });
  }
  return made;
}
