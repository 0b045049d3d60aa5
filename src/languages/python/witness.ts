import { WORKSPACE } from "../../sandbox/sandbox.ts";
import type { Toolchain, WitnessOrder, WitnessRun } from "../language.ts";
import { DRIVER_SOURCE, inPytest, PLAIN_SCRIPT } from "./witness-driver.ts";

const SCRIPT = "try.py";
const TEST = "test_driver.py";
const REPORT = ".driver-report";

/** Variables that only somebody who tests would set. */
const OF_TESTERS = /^(PYTHONPATH|PYTHONHASHSEED|PYTHONDONTWRITEBYTECODE|PYTEST_.*|HYPOTHESIS_.*)$/;

export function witnessPython(order: WitnessOrder, { env }: Toolchain): WitnessRun {
  const own = Object.entries(env).filter(([name]) => !OF_TESTERS.test(name));
  return {
    files: [{ path: SCRIPT, content: PLAIN_SCRIPT }],
    // A shell stays its parent, as it would be for a person.
    argv: ["sh", "-c", `python3 ${SCRIPT}; exit $?`],
    env: Object.fromEntries(own),
    stdin: JSON.stringify({ ...order, plain: true, source: DRIVER_SOURCE }),
  };
}

/** As the only test of a run of pytest's; `start` is how tests are started. */
export function witnessInPytest(
  order: WitnessOrder,
  start: (files: string[]) => { argv: string[]; env: Record<string, string> },
  { env }: Toolchain,
): WitnessRun {
  const run = start([TEST]);
  const content = inPytest({ ...order, plain: false }, DRIVER_SOURCE, `${WORKSPACE}/${REPORT}`);
  return {
    files: [{ path: TEST, content }],
    argv: run.argv,
    // As random as for a person: whether tests bear that is asked elsewhere.
    env: { ...env, ...run.env, PYTHONHASHSEED: "random" },
    reportFile: REPORT,
  };
}
