import { forNewChange, type HeldOutTest, heldOutId } from "../../domain/evidence/held-out.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { withHomes } from "../../domain/plan/update-plan.ts";
import type { WrittenTests } from "./written-tests.ts";

/* What happens to written tests when their plan changes. All functions here are pure. */

/** Moves the tests to the todos that now fulfil their requirements. */
export function inNewHomes(tests: WrittenTests, plan: Plan, done: ReadonlySet<string>): WrittenTests {
  const moved = (files: TestFile[]) =>
    files.map((file) => {
      const homes = withHomes([file], plan, done);
      return "files" in homes ? (homes.files[0] ?? file) : file;
    });
  return { ...tests, files: moved(tests.files), heldOutFiles: moved(tests.heldOutFiles) };
}

/**
 * Another change will be made. A held-out test that has already told the coder something cannot support a verdict on
 * it.
 */
export function forAnotherChange(tests: WrittenTests, ran: readonly HeldOutTest[]): WrittenTests {
  const known = new Map(ran.map((test) => [heldOutId(test), test]));
  return { ...tests, heldOut: forNewChange(tests.heldOut.map((test) => known.get(heldOutId(test)) ?? test)) };
}

/** Paths that tests no longer have. They are removed from every tree that the work continues on. */
export function pathsTakenBack(gone: string[], before: WrittenTests, now: WrittenTests): string[] {
  const present = new Set(now.files.map(({ path }) => path));
  const once = [...gone, ...before.files.map(({ path }) => path)];
  return [...new Set(once)].filter((path) => !present.has(path));
}
