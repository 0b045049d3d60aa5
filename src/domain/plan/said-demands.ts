import type { Metric, Todo } from "./plan.ts";
import { isQuoted } from "./quoted-words.ts";

/**
 * A todo of the planner's, with only those demands that the person's words name. What a planner would like to see
 * succeed may be wrong, and would withhold work that does what was asked for.
 */
export function withSaidDemands<Planned extends Partial<Pick<Todo, "acceptance" | "metrics">>>(
  todo: Planned,
  words: string,
): Planned {
  const { acceptance, metrics } = todo;
  const figures = new Set((words.match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
  // How a figure is counted is the planner's to say; what it may be is the person's.
  const isSaid = (bounds: number[]) => bounds.length > 0 && bounds.every((bound) => figures.has(bound));
  return {
    ...todo,
    ...(acceptance && { acceptance: acceptance.filter((command) => isQuoted(words, command)) }),
    ...(metrics && { metrics: metrics.filter((metric) => isSaid(boundsOf(metric))) }),
  };
}

const boundsOf = ({ atMost, atLeast }: Metric): number[] => [atMost, atLeast].filter((bound) => bound !== undefined);
