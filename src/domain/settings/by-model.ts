/** What a table says of a model: under its own name, or else under the longest name that ends in `*` and fits. */
export function ofModel<Value>(model: string, table: Record<string, Value>): Value | undefined {
  if (Object.hasOwn(table, model)) return table[model];
  const fitting = Object.keys(table)
    .filter((key) => key.endsWith("*") && model.startsWith(key.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return fitting[0] === undefined ? undefined : table[fitting[0]];
}
