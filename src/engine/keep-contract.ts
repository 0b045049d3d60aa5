import { z } from "zod";
import type { Contract } from "../domain/contract.ts";
import type { Strand } from "../journal/strand.ts";
import type { Verdict } from "../verify/gate.ts";
import type { EngineParts } from "./parts.ts";

export interface ContractToKeep {
  name: string;
  tree: string;
  contract: Contract | undefined;
  /** Every file that it names must be there by now. */
  whole: boolean;
}

const Breaches = z.array(z.object({ id: z.string(), message: z.string() }));

/** What the contract promises and the code does not keep is red like a test. */
export async function keepingContract(
  strand: Strand,
  { artifacts, parsers }: Pick<EngineParts, "artifacts" | "parsers">,
  { name, tree, contract, whole }: ContractToKeep,
  verdict: Verdict,
): Promise<Verdict> {
  if (!contract) return verdict;
  const input = { tree, contract, whole };
  const breaches = await strand.step({ kind: "tool", name, input, output: Breaches, durable: false }, async () => {
    const { findBreaches } = await import("../verify/contract/check-contract.ts");
    const read = (path: string) => artifacts.readFile(tree, path)?.toString("utf8") ?? null;
    return findBreaches(parsers, contract, read, whole);
  });
  if (breaches.length === 0) return verdict;
  const red = [...new Set([...verdict.red, ...breaches.map(({ id }) => id)])].sort();
  return { passed: false, red, reasons: [...verdict.reasons, ...breaches] };
}
