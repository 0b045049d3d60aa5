import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import { fail } from "../../domain/failure.ts";
import { changesBehaviour } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Run } from "../hands/run.ts";
import { askForTests, type TestsWanted } from "./ask-for-tests.ts";
import { testsWritten, type WrittenTests } from "./written-tests.ts";

/** The tester writes tests from spec and base tree alone. They are accepted once they are red in the right way. */
export async function writeTests(run: Run, wanted: TestsWanted): Promise<WrittenTests> {
  const { spec } = wanted.planned;
  const { files, judged, speed } = await askForTests(run, wanted, { name: "tests", visible: [] });
  const visible = files.filter((file) => !file.heldOut);
  const isGuard = (file: TestFile, test: string) => judged.guards.includes(`${file.path}::${test}`);
  if (changesBehaviour(spec.kind) && visible.every((file) => file.covers.every(({ test }) => isGuard(file, test)))) {
    throw fail(
      "spec-mismatch",
      "tests.not-red",
      "every test passes before any change: the goal seems to be reached already, or the tests cannot show it",
    );
  }
  const written: WrittenTests = {
    files: visible,
    guards: judged.guards,
    ids: judged.ids,
    heldOutFiles: files.filter((file) => file.heldOut),
    heldOut: judged.heldOut,
    ...(speed && { benchmarks: speed.usable, unmeasured: speed.unmeasured }),
  };
  const unmeasured = (speed?.unmeasured ?? []).map(({ requirement, why }) => `${requirement} is not measured: ${why}`);
  await run.note(
    { kind: "checkpoint", name: "tests-written", input: written },
    ...testsWritten(visible, judged, unmeasured),
  );
  return written;
}

export interface Replacement {
  requirements: string[];
  /** Used-up tests of the tester. The new ones must be different. */
  used: TestFile[];
  visible: TestFile[];
  round: number;
}

/** Replaces spent or void held-out tests by new ones, written from spec and base tree like the first. */
export async function replaceTests(
  run: Run,
  wanted: TestsWanted,
  { requirements, used, visible, round }: Replacement,
): Promise<{ files: TestFile[]; heldOut: HeldOutTest[] }> {
  const { spec } = wanted.planned;
  const narrowed = { ...spec, requirements: spec.requirements.filter((item) => requirements.includes(item.id)) };
  const again = { ...wanted, planned: { ...wanted.planned, spec: narrowed } };
  const { files, judged } = await askForTests(run, again, { name: `replace:${round}`, visible, used });
  return { files, heldOut: judged.heldOut };
}
