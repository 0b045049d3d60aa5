import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/unit-changes.ts";

/** Everything that was measured of one changed part of the code. */
export interface UnitFacts {
  change: UnitChange;
  /** Changed lines that no test runs; null when nobody could watch. */
  uncovered: LineRange[] | null;
  /** Small changes of its changed lines, as the tests met them. */
  mutants: readonly MutantResult[];
  /** Mutants of these that the comparison of old and new behaviour notices. */
  compared: ReadonlySet<string>;
  /** Small changes of what it was, as tests that are green on both sides met them; null when none were tried. */
  oldMutants: readonly MutantResult[] | null;
  /** Tests that turned from red to green and run it. */
  turned: ReadonlySet<string>;
  /** How its old and new version behave; null when they were not called. */
  behaviour: FunctionBehaviour | null;
}
