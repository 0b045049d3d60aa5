import { z } from "zod";
import type { Contract } from "../../domain/plan/contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { Breach, UnfinishedPart } from "../../verify/contract/check-contract.ts";
import type { GateVerdict } from "../../verify/gate/gate.ts";
import type { Run } from "../hands/run.ts";

export interface ContractToKeep {
  name: string;
  tree: string;
  contract: Contract | undefined;
  /** True when everything that the contract names must exist by now. */
  whole: boolean;
  /** The tree that the todo began from. */
  before: string;
  spec: Spec | undefined;
  todo: Todo | undefined;
}

const Breaches = z.array(z.object({ id: z.string(), message: z.string() }));

/** Adds breaches of the contract to the verdict. A breach is red, like a failed test. */
export async function keepingContract(
  run: Run,
  { name, tree, contract, whole, before, spec, todo }: ContractToKeep,
  verdict: GateVerdict,
): Promise<GateVerdict> {
  if (!contract) return verdict;
  const input = { tree, contract, whole };
  const breaches = await run.step({ kind: "tool", name, input, output: Breaches, durable: false }, async () => {
    const part = { read: readIn(run, before), words: wordsOf(spec, todo) };
    return breachesOf(run, tree, contract, ...(whole ? [] : [part]));
  });
  if (breaches.length === 0) return verdict;
  const red = [...new Set([...verdict.red, ...breaches.map(({ id }) => id)])].sort();
  return { passed: false, red, reasons: [...verdict.reasons, ...breaches] };
}

/** Must run inside an effect. */
export async function breachesOf(run: Run, tree: string, contract: Contract, part?: UnfinishedPart): Promise<Breach[]> {
  const { findBreaches } = await import("../../verify/contract/check-contract.ts");
  return findBreaches(run.parts.parsers, contract, readIn(run, tree), part);
}

const readIn = (run: Run, tree: string) => (path: string) =>
  run.parts.artifacts.readFile(tree, path)?.toString("utf8") ?? null;

function wordsOf(spec: Spec | undefined, todo: Todo | undefined): string {
  const own = spec?.requirements.filter(({ id }) => todo?.requirements.includes(id)) ?? [];
  return [todo?.title ?? "", ...own.map(({ text }) => text)].join("\n");
}
