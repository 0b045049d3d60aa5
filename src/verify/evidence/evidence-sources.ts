import type { AccountLine } from "../../domain/evidence/account.ts";
import type { Dispute } from "../../domain/evidence/dispute.ts";
import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import type { Measured } from "../../domain/evidence/measured.ts";
import type { ReplacedTest } from "../../domain/evidence/replaced-test.ts";
import type { Sharpened } from "../../domain/evidence/sharpened.ts";
import type { SpeedReport } from "../../domain/evidence/speed.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { GateRun } from "../gate/gate.ts";

/** Everything that a task's evidence is made from. */
export interface EvidenceSources {
  spec: Spec | undefined;
  /** Those the coder saw. */
  tests: TestFile[];
  /** Tests that passed before the change. */
  guards: string[];
  baseline: TestReport | null;
  run: GateRun;
  /** Those it did not see, as they went on the finished change. */
  heldOut: HeldOutTest[];
  disputes: Dispute[];
  tampering: string[];
  /** A person saw the plan with its examples and said yes. */
  confirmed: boolean;
  measured?: Measured;
  speed?: SpeedReport[];
  witness?: WitnessReport;
  sharpened?: Sharpened;
  replaced: ReplacedTest[];
  /** Every place of the change with its standing; absent where nobody came so far. */
  account?: AccountLine[];
}

/** Of work that has no spec (`--direct`), or that never came so far: nobody wrote tests for it. */
export const WITHOUT_SPEC = {
  spec: undefined,
  tests: [],
  guards: [],
  heldOut: [],
  disputes: [],
  tampering: [],
  replaced: [],
  confirmed: false,
};
