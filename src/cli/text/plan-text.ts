import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { type Line, line } from "./line.ts";
import { planGraphText } from "./plan-graph-text.ts";
import { requirementLines } from "./plan-lines.ts";
import { printable } from "./printable.ts";

/** A plan for a person: what is required, unless they have just seen it, and the graph of its todos. */
export function planText({ size, spec, plan }: PlanFile, { isSeen }: { isSeen: boolean }): Line[] {
  const graph = planGraphText(plan).map((text) => line(`  ${text}`));
  const lines = isSeen
    ? plan.todos.length > 1
      ? graph
      : []
    : [line(`${spec.title} (${size} ${spec.kind}, ${spec.language})`), ...requirementLines(spec), line(""), ...graph];
  return lines.map(({ text, tone }) => line(printable(text), tone));
}
