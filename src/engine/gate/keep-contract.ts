import { z } from "zod";
import type { Contract } from "../../domain/plan/contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { Strand } from "../../journal/strand.ts";
import type { Breach, UnfinishedPart } from "../../verify/contract/check-contract.ts";
import type { Verdict } from "../../verify/gate/gate.ts";
import type { EngineParts } from "../hands/parts.ts";

export interface ContractToKeep {
  name: string;
  tree: string;
  contract: Contract | undefined;
  /** Everything that it names must be there by now. */
  whole: boolean;
  /** Where the todo began, and the todo. */
  before: string;
  spec: Spec | undefined;
  todo: Todo | undefined;
}

const Breaches = z.array(z.object({ id: z.string(), message: z.string() }));

/** What the contract promises and the code does not keep is red like a test. */
export async function keepingContract(
  strand: Strand,
  { artifacts, parsers }: Pick<EngineParts, "artifacts" | "parsers">,
  { name, tree, contract, whole, before, spec, todo }: ContractToKeep,
  verdict: Verdict,
): Promise<Verdict> {
  if (!contract) return verdict;
  const input = { tree, contract, whole };
  const breaches = await strand.step({ kind: "tool", name, input, output: Breaches, durable: false }, async () => {
    const part = { read: readIn(artifacts, before), words: wordsOf(spec, todo) };
    return breachesOf({ artifacts, parsers }, tree, contract, ...(whole ? [] : [part]));
  });
  if (breaches.length === 0) return verdict;
  const red = [...new Set([...verdict.red, ...breaches.map(({ id }) => id)])].sort();
  return { passed: false, red, reasons: [...verdict.reasons, ...breaches] };
}

/** Inside an effect. */
export async function breachesOf(
  { artifacts, parsers }: Pick<EngineParts, "artifacts" | "parsers">,
  tree: string,
  contract: Contract,
  part?: UnfinishedPart,
): Promise<Breach[]> {
  const { findBreaches } = await import("../../verify/contract/check-contract.ts");
  return findBreaches(parsers, contract, readIn(artifacts, tree), part);
}

const readIn = (artifacts: EngineParts["artifacts"], tree: string) => (path: string) =>
  artifacts.readFile(tree, path)?.toString("utf8") ?? null;

function wordsOf(spec: Spec | undefined, todo: Todo | undefined): string {
  const own = spec?.requirements.filter(({ id }) => todo?.requirements.includes(id)) ?? [];
  return [todo?.title ?? "", ...own.map(({ text }) => text)].join("\n");
}
