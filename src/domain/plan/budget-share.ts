/** Money and tokens; null where there is no limit. */
export interface Left {
  costMicros: number | null;
  tokens: number | null;
}

export interface Spent {
  costMicros: number;
  tokens: number;
}

/**
 * Whether a todo may go on beside others: what is left is divided evenly among the todos that are not settled, counting
 * what each of them has used already; what a settled one did not use is there for the others.
 */
export function isWithinShare(left: Left, own: Spent, open: Spent[]): boolean {
  const fits = (key: "costMicros" | "tokens") => {
    const rest = left[key];
    if (rest === null) return true;
    if (rest <= 0) return false;
    const pool = rest + open.reduce((sum, spent) => sum + spent[key], 0);
    return own[key] * open.length < pool;
  };
  return fits("costMicros") && fits("tokens");
}
