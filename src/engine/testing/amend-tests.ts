import type { Amendment } from "../../domain/plan/amendment.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Run } from "../hands/run.ts";
import { askForTests, type TestsWanted } from "./ask-for-tests.ts";
import { testsWritten, type WrittenTests } from "./written-tests.ts";

/** Which tests stay, and which requirements need new tests. */
export interface Withdrawal {
  kept: WrittenTests;
  wanted: string[];
}

/**
 * Withdraws whole files: a file goes if one of its tests is about a dropped or changed requirement. Its other
 * requirements get new tests. Pure.
 */
export function withdraw(tests: WrittenTests, { added, changed, dropped }: Amendment): Withdrawal {
  const lost = new Set([...changed, ...dropped]);
  const goes = ({ covers }: TestFile) => covers.some(({ requirement }) => lost.has(requirement));
  const all = [...tests.files, ...tests.heldOutFiles, ...(tests.benchmarks ?? [])];
  const gone = new Set(all.filter(goes).map(({ path }) => path));
  const covered = all.filter(goes).flatMap(({ covers }) => covers.map(({ requirement }) => requirement));
  const stays = (id: string) => !gone.has(id.split("::")[0] ?? "");
  const wanted = [...new Set([...added, ...changed, ...covered])].filter((id) => !dropped.includes(id));
  return {
    wanted,
    kept: {
      files: tests.files.filter((file) => !goes(file)),
      guards: tests.guards.filter(stays),
      ids: tests.ids.filter(stays),
      heldOutFiles: tests.heldOutFiles.filter((file) => !goes(file)),
      heldOut: tests.heldOut.filter(({ file }) => !gone.has(file)),
      ...(tests.benchmarks && { benchmarks: tests.benchmarks.filter((file) => !goes(file)) }),
      ...(tests.unmeasured && {
        unmeasured: tests.unmeasured.filter(
          ({ requirement }) => !wanted.includes(requirement) && !lost.has(requirement),
        ),
      }),
    },
  };
}

/**
 * Tests come first: the tester writes tests for new or changed requirements, from spec and base tree as at the
 * beginning.
 */
export async function amendTests(
  run: Run,
  wanted: TestsWanted,
  { kept, wanted: requirements }: Withdrawal,
): Promise<WrittenTests> {
  if (requirements.length === 0) return kept;
  const { planned } = wanted;
  const { spec } = planned;
  const narrowed = { ...spec, requirements: spec.requirements.filter(({ id }) => requirements.includes(id)) };
  const { files, judged, speed } = await askForTests(
    run,
    { ...wanted, planned: { ...planned, spec: narrowed } },
    {
      name: "tests-again",
      visible: kept.files,
      taken: [...kept.files, ...kept.heldOutFiles],
      standing: spec.requirements.filter(({ id }) => !requirements.includes(id)),
      suffix: `-${(spec.amendments?.length ?? 0) + 1}`,
    },
  );
  const visible = files.filter((file) => !file.heldOut);
  const amended: WrittenTests = {
    files: [...kept.files, ...visible],
    guards: [...kept.guards, ...judged.guards],
    ids: [...kept.ids, ...judged.ids],
    heldOutFiles: [...kept.heldOutFiles, ...files.filter((file) => file.heldOut)],
    heldOut: [...kept.heldOut, ...judged.heldOut],
    ...((kept.benchmarks ?? speed) && { benchmarks: [...(kept.benchmarks ?? []), ...(speed?.usable ?? [])] }),
    ...((kept.unmeasured ?? speed) && { unmeasured: [...(kept.unmeasured ?? []), ...(speed?.unmeasured ?? [])] }),
  };
  const input = { files, judged };
  await run.note({ kind: "checkpoint", name: "tests-amended", input }, ...testsWritten(visible, judged));
  return amended;
}
