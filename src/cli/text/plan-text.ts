import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { planGraphText } from "./plan-graph-text.ts";
import { printable } from "./printable.ts";

/** A plan for a person: what is required, and the graph of its todos. */
export function planText({ size, spec, plan }: PlanFile): string {
  const requirements = spec.requirements.map(({ id, text, assumption, example }) => {
    const shown = example ? ` (${example.input} → ${example.output})` : "";
    return `  ${id} ${text}${shown}${assumption ? " (assumption)" : ""}`;
  });
  const outOfScope = spec.outOfScope.map((text) => `  not: ${text}`);
  const lines = [
    `${spec.title} (${size} ${spec.kind}, ${spec.language})`,
    ...requirements,
    ...outOfScope,
    "",
    ...planGraphText(plan).map((line) => `  ${line}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
