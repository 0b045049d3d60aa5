import { basename } from "node:path/posix";
import type { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { witnessTests } from "../witness/witness-tests.ts";
import type { ComparedTests } from "./compare-change.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** So many tests are witnessed: one that differs is enough, and each takes a moment. */
const MOST_TESTS = 60;

/** Tests that turned green, once more as code is used. Null when there is none, or the change is lost already. */
export async function witnessTurned(
  { artifacts, sandbox, limits, signal, checkout, onProgress }: ProveParts,
  suite: SuiteRunner,
  result: string,
  { tests, integrity }: ComparedTests,
): Promise<WitnessReport | null> {
  const ids = tests.filter(({ role }) => role === "red-to-green").map(({ id }) => id);
  const isLost = integrity.some(({ weight }) => weight === "tampering") || tests.some(({ role }) => role === "broken");
  if (ids.length === 0 || isLost) return null;
  const asked = ids.slice(0, MOST_TESTS);
  const paths = [...new Set(asked.map((id) => id.split("::")[0] ?? id))];
  const files = paths.flatMap((path) => {
    const content = artifacts.readFile(result, path)?.toString("utf8");
    return content === undefined ? [] : [{ path, content }];
  });
  onProgress("running the tests that turned green as a person would use the code");
  const { language } = suite;
  const toolchain = suite.toolchainFor(result);
  const around = { sandbox, limits, signal, language, toolchain };
  return witnessTests({
    ...around,
    project: basename(paths[0]?.split("/")[0] ?? "project"),
    layOut: () => checkout("witness", result),
    files,
    ids: asked,
  });
}
