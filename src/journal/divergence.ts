import type { Json } from "../domain/json.ts";

/** The run asked for something else than what was recorded. Names the step and shows the difference. */
export class Divergence extends Error {
  readonly step: string;
  readonly differences: string[];
  /** The run passed everything recorded and then went on. */
  readonly atEnd: boolean;

  constructor(step: string, what: string, differences: string[] = [], atEnd = false) {
    super([`diverges at step ${step}: ${what}`, ...differences.map((line) => `  ${line}`)].join("\n"));
    this.name = "Divergence";
    this.step = step;
    this.differences = differences;
    this.atEnd = atEnd;
  }
}

const SHOWN = 12;

/** Whom the two values are from, in words. */
type Named = readonly [a: string, b: string];

/** The places where two values differ, as lines for a person. Each line names the deepest path. */
export function differences(a: Json, b: Json, named: Named = ["recorded", "now"]): string[] {
  const found: string[] = [];
  collect(a, b, "", named, found);
  return found.length > SHOWN ? [...found.slice(0, SHOWN), `… and ${found.length - SHOWN} more`] : found;
}

function collect(a: Json | undefined, b: Json | undefined, at: string, named: Named, found: string[]): void {
  if (typeof a === "object" && typeof b === "object" && a && b && Array.isArray(a) === Array.isArray(b)) {
    const left = new Map(Object.entries(a));
    const right = new Map(Object.entries(b));
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      collect(left.get(key), right.get(key), at === "" ? key : `${at}.${key}`, named, found);
    }
    return;
  }
  if (a !== b) found.push(`${at || "value"}: ${named[0]} ${excerpt(a, b)}, ${named[1]} ${excerpt(b, a)}`);
}

/** Long texts are shown from shortly before the first character that differs. */
function excerpt(value: Json | undefined, other: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  const against = other === undefined ? "" : JSON.stringify(other);
  if (text.length <= 120) return text;
  let first = 0;
  while (first < text.length && text[first] === against[first]) first += 1;
  const start = Math.max(0, first - 30);
  return `${start > 0 ? "…" : ""}${text.slice(start, start + 120)}${start + 120 < text.length ? "…" : ""}`;
}
