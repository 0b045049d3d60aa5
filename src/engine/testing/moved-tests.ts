import { forNewChange, type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { withHomes } from "../../domain/plan/update-plan.ts";
import type { WrittenTests } from "./written-tests.ts";

/*
 * What becomes of written tests when their plan changes. Pure.
 */

/** Tests follow the requirements to the todos that fulfil them now. */
export function inNewHomes(tests: WrittenTests, plan: Plan, done: ReadonlySet<string>): WrittenTests {
  const moved = (files: TestFile[]) =>
    files.map((file) => {
      const homes = withHomes([file], plan, done);
      return "files" in homes ? (homes.files[0] ?? file) : file;
    });
  return { ...tests, files: moved(tests.files), heldOutFiles: moved(tests.heldOutFiles) };
}

/** Another change is about to be made: a held-out test that has told the coder something carries no verdict on it. */
export function forAnotherChange(tests: WrittenTests, ran: readonly HeldOutTest[]): WrittenTests {
  const known = new Map(ran.map((test) => [heldOutId(test), test]));
  return { ...tests, heldOut: forNewChange(tests.heldOut.map((test) => known.get(heldOutId(test)) ?? test)) };
}

/** Paths that tests had once and have no more: they are taken out of every tree that is gone on with. */
export function pathsTakenBack(gone: string[], before: WrittenTests, now: WrittenTests): string[] {
  const present = new Set(now.files.map(({ path }) => path));
  const once = [...gone, ...before.files.map(({ path }) => path)];
  return [...new Set(once)].filter((path) => !present.has(path));
}
