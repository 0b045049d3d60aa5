import { renderContract } from "../../domain/plan/render-contract.ts";
import type { Spec } from "../../domain/plan/spec.ts";

/** Everything the person and the plan said, as one text: what a ruling may quote. */
export function specText(goal: string, spec: Spec): string {
  const said = spec.requirements.flatMap(({ text, quote, example }) => [
    text,
    quote ?? "",
    example ? `${example.input} → ${example.output}` : "",
  ]);
  const promised = spec.contract ? renderContract(spec.contract) : "";
  const since = (spec.amendments ?? []).map(({ words }) => words);
  return [goal, spec.title, ...said, ...spec.outOfScope, promised, ...since].filter((part) => part !== "").join("\n");
}

/** What may be quoted for a test: nobody can owe what the plan names as out of scope. */
export const owedText = (goal: string, spec: Spec): string => specText(goal, { ...spec, outOfScope: [] });

const SHORTEST_QUOTE = 8;

/** Whether these very words stand in the text; spaces and quotation marks around it do not count. */
export function isQuotedFrom(text: string, quote: string): boolean {
  const plain = (words: string) => words.replace(/\s+/g, " ").trim();
  const wanted = plain(quote).replace(/^["'“”‘’`]+|["'“”‘’`.]+$/g, "");
  return wanted.length >= SHORTEST_QUOTE && plain(text).includes(wanted);
}
