import { expect, test } from "vitest";
import type { MutantResult } from "../../domain/evidence/mutant-report.ts";
import { lostBy } from "./notice-loss.ts";

test("a small change of the old code is named by its line there, which another line may have in the new code", () => {
  const result: MutantResult = {
    mutant: {
      ...{ id: "slug.js:19:constant:1", path: "slug.js", line: 19, statement: { from: 19, to: 19 } },
      ...{ operator: "constant", from: 300, to: 301, replacement: "1", description: "`0` → `1`" },
    },
    fate: "killed",
    killedBy: ["slug.test.js::cuts"],
    expectedBy: [],
    reason: "",
  };
  expect(lostBy([result], false)[0]?.mutants).toEqual(["slug.js:19 `0` → `1`"]);
  expect(lostBy([result], true)[0]?.mutants).toEqual(["slug.js:19 (before the change) `0` → `1`"]);
});
