import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/compare-units.ts";
import type { LeftGuard } from "./left-guards.ts";

/** Everything that was measured of one changed part of the code. */
export interface UnitFacts {
  change: UnitChange;
  /** Changed lines that no test runs; null when nobody could watch. */
  uncovered: LineRange[] | null;
  /** Small changes of its changed lines, as the tests and the comparison of behaviour met them. */
  mutants: readonly MutantResult[];
  /** Tests that turned from red to green and run it. */
  turned: ReadonlySet<string>;
  /** How its old and new version behave, or what a statement's name stands for; null when that is not known. */
  behaviour: FunctionBehaviour | null;
  /** All functions of its file that were called in both versions. */
  around: readonly FunctionBehaviour[];
  /** The same where no function changed: then nothing but statements can make them differ. */
  untouched?: readonly FunctionBehaviour[];
  /** Of what is gone: somebody outside could use it, or the project still speaks of it. */
  missed: boolean;
  /** Of an import: a test runs a changed line that says its name. */
  used?: boolean;
  /** Of a statement: lines that say its name, and that no test runs. */
  unrunUses?: readonly LineRange[];
  /** Of a new name: the line of the old text that used it for something else; null: there is none. */
  takesOver?: number | null;
  /** Of a statement: it makes something that can be called. */
  callable?: boolean;
  /** Of a function: the values that its old version compares with. */
  bounds?: readonly string[];
  /** Of a function: what stood within a guard, and left it. */
  unguarded?: LeftGuard | null;
  /** Of an import: the names of its file are listed, put together or taken by others, so a new one is an effect. */
  listed?: boolean;
}
