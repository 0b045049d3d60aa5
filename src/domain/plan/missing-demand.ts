import { isAbout, isAmplyQuoted } from "./quoted-words.ts";
import type { Requirement } from "./spec.ts";

/** What a planner answers about requirements. */
interface GivenRequirements {
  requirements: Pick<Requirement, "id" | "text">[];
  outOfScope: string[];
}

/**
 * Why a plan does not do what a template demands, in one line that names the requirement: it is missing, or something else
 * stands under its id. The person's own words may rule it out, and nothing else may.
 */
export function missingDemand(demands: Requirement[], given: GivenRequirements, words: string): string | undefined {
  for (const { id, text } of demands) {
    const kept = given.requirements.find((item) => item.id === id);
    if (kept && isAbout(text, kept.text)) continue;
    if (kept) return `${id} is the template's and says something else: ${text}; give yours another id`;
    if (given.outOfScope.some((line) => isRuledOut(id, line, words))) continue;
    return `the plan leaves out ${id} of the template: ${text}; add it, or name in outOfScope the words that rule it out, as \`${id}: those words\``;
  }
  return undefined;
}

function isRuledOut(id: string, line: string, words: string): boolean {
  const [, named, quote] = /^(R\d+)\b\W*(.*)$/su.exec(line) ?? [];
  return named === id && isAmplyQuoted(words, quote);
}
