import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { planGraphText } from "./plan-graph-text.ts";
import { requirementLines } from "./plan-lines.ts";
import { printable } from "./printable.ts";

/** A plan for a person: what is required, and the graph of its todos. */
export function planText({ size, spec, plan }: PlanFile): string {
  const lines = [
    `${spec.title} (${size} ${spec.kind}, ${spec.language})`,
    ...requirementLines(spec).map(({ text }) => text),
    "",
    ...planGraphText(plan).map((line) => `  ${line}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
