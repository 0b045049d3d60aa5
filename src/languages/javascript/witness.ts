import { WORKSPACE } from "../../sandbox/sandbox.ts";
import type { DrivenJob, Toolchain, WitnessOrder, WitnessRun } from "../language.ts";
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
  return {
    files: [{ path: SCRIPT, content: DRIVER_SOURCE }],
    argv: ["node", SCRIPT],
    env: { ...env, NODE_ENV: "test", ...signsOf(runner) },
    stdin: JSON.stringify({ ...order, plain: false, globals: true }),
  };
}

/** Variables by which code can see its runner. */
function signsOf(runner: string): Record<string, string> {
  if (runner === "jest") return { JEST_WORKER_ID: "1" };
  if (runner !== "vitest") return {};
  return { VITEST: "true", VITEST_WORKER_ID: "1", VITEST_POOL_ID: "1", VITEST_MODE: "RUN", TEST: "true" };
}

/** Code that ran in the workspace may have left links there: so everything is written from inside. */
const PLACE = `import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { place, driver, order } = JSON.parse(readFileSync(0, "utf8"));
writeFileSync(place.path, place.content);
writeFileSync("${SCRIPT}", driver);
const { begin } = await import(pathToFileURL("${SCRIPT}").href);
unlinkSync("${SCRIPT}");
begin(order);
`;

/** Once, after one file got another text: a runner takes a second to start, the driver a tenth of it. */
export function driveNode(
  order: WitnessOrder,
  { place, cpuSeconds }: DrivenJob,
  { env, runner }: Toolchain,
): WitnessRun {
  return {
    files: [],
    argv: ["sh", "-c", `ulimit -t ${cpuSeconds}; exec node --input-type=module -e "$1"`, "sh", PLACE],
    env: { ...env, ...(runner !== "node:test" && { NODE_ENV: "test" }), ...signsOf(runner) },
    stdin: JSON.stringify({ place, driver: DRIVER_SOURCE, order: { ...order, plain: false } }),
  };
}
