import { WORKSPACE } from "../../sandbox/sandbox.ts";
import type { Toolchain, WitnessOrder, WitnessRun } from "../language.ts";
import { DRIVER_SOURCE } from "./witness-driver.ts";

const SCRIPT = "try.mjs";
const TEST = "try.test.mjs";
const REPORT = ".driver-report";

/** Variables that only somebody who tests would set. */
const OF_TESTERS = /^(NODE_OPTIONS|NODE_TEST_.*|NO_COLOR|NODE_V8_COVERAGE)$/;

export function witnessNode(order: WitnessOrder, { env }: Toolchain): WitnessRun {
  const own = Object.entries(env).filter(([name]) => !OF_TESTERS.test(name));
  return {
    files: [{ path: SCRIPT, content: DRIVER_SOURCE }],
    // A shell stays its parent, as it would be for a person.
    argv: ["sh", "-c", `node ${SCRIPT}; exit $?`],
    env: Object.fromEntries(own),
    stdin: JSON.stringify({ ...order, plain: true }),
  };
}

/** As the only test of a run of node:test; `start` is how tests are started. */
export function witnessInNodeTest(
  order: WitnessOrder,
  start: (files: string[]) => { argv: string[]; env: Record<string, string> },
  { env }: Toolchain,
): WitnessRun {
  const run = start([TEST]);
  const content = `import { appendFileSync } from "node:fs";
import { test } from "node:test";
import { drive } from "./${SCRIPT}";
const order = ${JSON.stringify({ ...order, plain: false })};
test("all", () => drive(order, (line) => appendFileSync(${JSON.stringify(`${WORKSPACE}/${REPORT}`)}, "\\n" + order.mark + line + "\\n")));
`;
  return {
    files: [
      { path: SCRIPT, content: DRIVER_SOURCE },
      { path: TEST, content },
    ],
    argv: run.argv,
    env: { ...env, ...run.env },
    reportFile: REPORT,
  };
}

/**
 * Vitest and Jest load files in ways of their own, which our driver cannot use: here it runs beside everything else that
 * tells of them, which is what code would look for.
 */
export function witnessBesideRunner(order: WitnessOrder, { env, runner }: Toolchain): WitnessRun {
  const signs = {
    vitest: { VITEST: "true", VITEST_WORKER_ID: "1", VITEST_POOL_ID: "1", VITEST_MODE: "RUN", TEST: "true" },
    jest: { JEST_WORKER_ID: "1" },
  };
  return {
    files: [{ path: SCRIPT, content: DRIVER_SOURCE }],
    argv: ["node", SCRIPT],
    env: { ...env, NODE_ENV: "test", ...(runner === "vitest" ? signs.vitest : runner === "jest" ? signs.jest : {}) },
    stdin: JSON.stringify({ ...order, plain: false, globals: true }),
  };
}
