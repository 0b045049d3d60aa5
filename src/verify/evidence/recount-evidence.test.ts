import { expect, test } from "vitest";
import { evidenceOf, shipped } from "../../../test/forged-bundle.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { recountEvidence } from "./recount-evidence.ts";

/** What is wrong with the genuine evidence of a task once this was edited in it. */
async function recounted(edit: (document: EvidenceDocument) => void): Promise<string[]> {
  const { document } = await evidenceOf(shipped("python-fix.json"));
  edit(document);
  return recountEvidence(document);
}

test("genuine evidence adds up", async () => {
  expect(await recounted(() => {})).toEqual([]);
});

test("a sum that its lists do not say is named", async () => {
  const [mutants] = await recounted((document) => void document.mutants?.results.pop());
  expect(mutants).toMatch(/^mutants\.counts\.\w+: it says \d+, its own lists say \d+$/);
  const emptied = await recounted((document) => void document.mutants?.results.splice(0));
  expect(emptied).toContainEqual(expect.stringMatching(/^mutants.requirements: R1 is said to notice /));
  expect(await recounted((document) => (document.coverage = { files: [], share: 1 }))).toEqual([
    "coverage.share: it says 1, its own lists say null",
  ]);
  const [suite] = await recounted(({ tests }) => void tests.shift());
  expect(suite).toMatch(/^suite.after.passed: it says \d+, its own lists say \d+$/);
});

test("a requirement that names a test which is not there, or is shown by none that passed, is named", async () => {
  const gone = await recounted(({ requirements }) => void requirements[0]?.tests.push("t.py::gone"));
  expect(gone).toEqual(["requirements: R1 names t.py::gone, and tests does not have it"]);
  const bare = await recounted(({ requirements }) => void requirements[0]?.tests.splice(0));
  expect(bare).toEqual(["requirements: R1 is said to be shown, and no test passed"]);
});
