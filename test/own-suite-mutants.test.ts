import { expect, test } from "vitest";
import { survivors } from "../src/domain/evidence/mutant-report.ts";
import { AppBuilder } from "./app-builder.ts";
import { cappedFee, FEES, OF_FEE } from "./capped-fee.ts";
import { byRole } from "./scripted-goal.ts";

const PROJECT = {
  ...FEES,
  // Notices every small change of the line that caps the fee, and of the one above it.
  "tests/test_totals.py": `${OF_FEE}def test_totals():\n    assert [fee(days) for days in (0, 1, 3, 4)] == [0, 2, 6, 8]\n`,
};
const roles = cappedFee(["assert fee(9) == 10"]);

test("what the project's own suite notices is noticed: nobody is asked for sharper tests", async () => {
  const builder = await AppBuilder.create(byRole(roles), PROJECT);
  const app = await builder.open();
  const end = await builder.start(app, { goal: "the fee is at most 10" });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven" } });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const mutants = evidence?.mutants;
  if (!mutants) throw new Error("there are mutants");
  expect(survivors(mutants).map(({ description }) => description)).toEqual([]);
  const killers = mutants.results.flatMap(({ killedBy }) => killedBy);
  expect(killers).toContain("tests/test_totals.py::test_totals");
});
