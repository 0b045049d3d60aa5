import { expect, test } from "vitest";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { MutantQueue } from "./mutant-queue.ts";

const mutant = (id: string): Mutant => ({
  id,
  path: "a.py",
  line: 1,
  statement: { from: 1, to: 1 },
  operator: "constant",
  from: 0,
  to: 1,
  replacement: "",
  description: "",
});
const R1 = { tests: ["t1"] };
const R2 = { tests: ["t2"] };

function waiting(...tests: string[][]): MutantQueue {
  const all = new MutantQueue();
  for (const [index, own] of tests.entries()) all.add({ mutant: mutant(`m${index + 1}`), tests: own, alone: false });
  return all;
}
const ids = (batch: { mutant: Mutant }[]) => batch.map((one) => one.mutant.id);

test("each requirement's first mutant comes before any requirement's second", () => {
  const all = waiting(["t1"], ["t1"], ["t1"], ["other"], ["t1"], ["t2"], ["t2"], ["t1", "t2"]);
  all.sooner([R1, R2]);
  expect(ids([...all.take(), ...all.take()])).toEqual(["m1", "m6", "m2", "m7", "m3", "m8", "m4", "m5"]);
});

test("when the time is up, only mutants of the requirements that lack a kill are handed out", () => {
  const all = waiting(["t1"], ["t2"], ["other"], ["t1"]);
  expect(ids(all.takeFor([R2]))).toEqual(["m2"]);
  expect(all.takeFor([R2])).toEqual([]);
  expect(ids(all.take())).toEqual(["m1", "m3", "m4"]);
});
