import type { CompiledUnit } from "../../languages/compiled-unit.ts";

/** A version of a file with its units. */
export interface UnitSide {
  path: string;
  text: string;
  units: readonly CompiledUnit[];
}

/** A unit and what it was. */
export interface Pair {
  old: CompiledUnit | null;
  now: CompiledUnit | null;
}
