import { z } from "zod";
import { Contract, checkContract } from "./contract.ts";

/** One place of a contract's JSON text, before and after. */
export const ContractEdit = z.object({ oldText: z.string().min(1), newText: z.string() });
export type ContractEdit = z.infer<typeof ContractEdit>;

/** As its architect is shown it, and as the edits speak of it. */
export const contractText = (contract: Contract): string => JSON.stringify(contract, null, 2);

/** The contract with these edits, or what is wrong with them in one line. */
export function amendedContract(old: Contract, edits: ContractEdit[]): { contract: Contract } | { problem: string } {
  let text = contractText(old);
  for (const { oldText, newText } of edits) {
    const [before, after, ...more] = text.split(oldText);
    if (before === undefined || after === undefined) return { problem: `not in the contract: ${oldText}` };
    if (more.length > 0) return { problem: `more than once in the contract, say more of its surroundings: ${oldText}` };
    text = before + newText + after;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `the amended contract is no JSON: ${error instanceof Error ? error.message : error}` };
  }
  const read = Contract.safeParse(value);
  if (!read.success) return { problem: z.prettifyError(read.error) };
  const [fault] = checkContract(read.data);
  if (fault) return { problem: `${fault.path.join(".") || "contract"}: ${fault.message}` };
  if (read.data.language !== old.language) return { problem: `the language stays ${old.language}` };
  return contractText(read.data) === contractText(old) ? { problem: "nothing is changed" } : { contract: read.data };
}

/** The amendments of a contract, for people: what went and what came, a place each. */
export function amendmentDiff(edits: ContractEdit[]): string {
  const lines = (text: string, sign: string) => text.split("\n").map((line) => `${sign}${line}\n`);
  return edits
    .map(({ oldText, newText }) => `@@\n${[...lines(oldText, "-"), ...lines(newText, "+")].join("")}`)
    .join("");
}
