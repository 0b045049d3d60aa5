import type { Settings } from "../../domain/settings/settings.ts";
import { priceOf, worstCase } from "../../llm/prices.ts";
import { money } from "./amounts.ts";

/** Calls and tokens of a goal that goes well, and of one that takes several iterations: [calls, input, output] each. */
const SHAPES = {
  direct: { low: [3, 3_000, 400], high: [40, 15_000, 900] },
  quick: { low: [4, 3_000, 500], high: [40, 15_000, 900] },
  standard: { low: [6, 4_000, 700], high: [80, 18_000, 1_000] },
  thorough: { low: [10, 6_000, 900], high: [160, 22_000, 1_200] },
} as const;

/** A rough range before the start, in one line. The limit is what holds; this is only what to expect. */
export function costRange(settings: Settings): string {
  const { effort, direct, limits, models, prices } = settings;
  const model = models.coder.models[0] ?? "";
  const limit =
    limits.maxCostMicros === null ? "no cost limit" : `limit ${money(limits.maxCostMicros)}, --max-cost changes it`;
  const price = priceOf(model, prices);
  if (!price) return `${model}: no price known, so no estimate; ${limit}`;
  const shape = SHAPES[direct ? "direct" : effort];
  const cost = ([calls, input, output]: readonly [number, number, number]) =>
    calls * worstCase(input, output, price).costMicros;
  const high = Math.min(cost(shape.high), limits.maxCostMicros ?? Number.POSITIVE_INFINITY);
  const low = Math.min(cost(shape.low), high);
  if (high === 0) return `${model}: free; ${limit}`;
  return `${model}: ${money(low)} to ${money(high)} to be expected; ${limit}`;
}
