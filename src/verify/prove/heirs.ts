import type { TestCase } from "../../domain/evidence/test-report.ts";
import type { TestOutline } from "../locks/test-outline.ts";
import { bare, caseOf, keyOf } from "./test-names.ts";

/**
 * The test of the result that is this test of the base: the same body with the same arguments under another name, or
 * the same name in another file. Another case of its function is another test.
 */
export function heirOf(
  test: TestCase,
  fresh: readonly TestCase[],
  outlines: Record<"before" | "after", ReadonlyMap<string, TestOutline>>,
): TestCase | undefined {
  const body = outlines.before.get(keyOf(test))?.body;
  const like = fresh.filter((now) => caseOf(now.name) === caseOf(test.name));
  const same = like.filter((now) => body !== undefined && outlines.after.get(keyOf(now))?.body === body);
  const lastOf = (name: string) =>
    bare(name)
      .split(/::| > /)
      .at(-1);
  return (
    same.find((now) => now.name === test.name) ??
    same.find((now) => lastOf(now.name) === lastOf(test.name)) ??
    same.find((now) => now.file === test.file) ??
    same[0] ??
    like.find((now) => now.name === test.name && now.file !== test.file)
  );
}
