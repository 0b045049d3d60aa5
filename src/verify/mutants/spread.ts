import { type Mutant, MutationOperator } from "../../domain/evidence/mutant-report.ts";

/**
 * Puts mutants into an order of which every beginning is a fair sample: line by line, far apart first, and each time the
 * operator that had its turn least often. The same mutants always give the same order.
 */
export function spread(mutants: readonly Mutant[]): Mutant[] {
  const lines = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const line = `${mutant.path}:${mutant.line}`;
    lines.set(line, [...(lines.get(line) ?? []), mutant]);
  }
  const waiting = farApart([...lines.values()]);
  const turns = new Map<MutationOperator, number>();
  const ordered: Mutant[] = [];
  while (ordered.length < mutants.length) {
    for (const line of waiting) {
      const next = line.toSorted((a, b) => rank(turns, a) - rank(turns, b))[0];
      if (!next) continue;
      line.splice(line.indexOf(next), 1);
      turns.set(next.operator, (turns.get(next.operator) ?? 0) + 1);
      ordered.push(next);
    }
  }
  return ordered;
}

/** Several files in turn, each in its own order and by its share, so that a budget leaves none of them out. */
export function inTurn(mutants: readonly Mutant[]): Mutant[] {
  const files = Map.groupBy(mutants, ({ path }) => path);
  return [...files.values()]
    .flatMap((own) => own.map((mutant, index) => ({ mutant, place: (index + 0.5) / own.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ mutant }) => mutant);
}

const OPERATORS = MutationOperator.options;

const rank = (turns: Map<MutationOperator, number>, { operator }: Mutant) =>
  (turns.get(operator) ?? 0) * OPERATORS.length + OPERATORS.indexOf(operator);

/** First, middle, the middles between, and so on: the bits of the place, read backwards. */
function farApart<Item>(items: readonly Item[]): Item[] {
  const bits = Math.ceil(Math.log2(Math.max(2, items.length)));
  const backwards = (place: number) =>
    Number.parseInt(place.toString(2).padStart(bits, "0").split("").reverse().join(""), 2);
  return items
    .map((item, place) => ({ item, key: backwards(place) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
