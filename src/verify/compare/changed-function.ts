import type { LineRange } from "../../domain/evidence/line-range.ts";

interface Place extends LineRange {
  path: string;
}

/** A function that a change touches: `Class.method`, and where it stands on each side. */
export interface ChangedFunction {
  path: string;
  name: string;
  /** Null: there was none. */
  before: Place | null;
  /** Null: it is gone. */
  after: Place | null;
}

/** The same for both trees. */
export const keyOf = ({ path, name }: { path: string; name: string }): string => `${path}::${name}`;
