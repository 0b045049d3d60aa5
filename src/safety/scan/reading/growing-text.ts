import { add } from "./fold-text.ts";
import type { Scope } from "./scope.ts";
import { eachPair, union, type Values } from "./value.ts";

/** So far back a growing text is followed. */
const MOST_STEPS = 6;

/** `s += "al"`: whatever s was before this place, with more behind it. */
export function grown(holder: Scope, identifier: string, at: number, more: Values): Values {
  const others = holder.bindingsOf(identifier).filter((binding) => binding.at < at);
  const before = union(...others.slice(-MOST_STEPS).map(({ read }) => read()));
  return eachPair(before, more, (value, behind) => [add(value, behind)]);
}
