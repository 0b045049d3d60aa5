// Starts processes: the genuine bundle is made in sandboxes.
import { expect, test } from "vitest";
import { z } from "zod";
import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import { leftOut } from "../src/verify/evidence/bundle.ts";
import { checkBundle, type Derive } from "../src/verify/evidence/check-bundle.ts";
import { CART, CART_TESTS } from "./cart-project.ts";
import { derivingChange, type MeasuredRow, withDocument, withMeasurements, written } from "./forged-bundle.ts";
import { proveBundle } from "./prove-builder.ts";
import { SampleRepository } from "./sample-repository.ts";

/** A fix with its test, and beside it a place that nothing shows. */
const CHANGED = {
  "cart.py": CART.replace("return min(prices)", "return min(prices) if prices else 0").replace("=0)", "=0.0)"),
  "test_cart.py": `${CART_TESTS}\n\ndef test_cheapest_of_nothing():\n    assert cheapest([]) == 0\n`,
  "deploy.yml": "on: push\n",
};

const VERSION = "0.0.0";
const never: Derive = () => Promise.reject(new Error("it is no bundle of a task"));
const check = (files: ReadonlyMap<string, Buffer>, version = VERSION) =>
  checkBundle(written(files), { version, derive: { run: never, prove: derivingChange } });

let made: Promise<Map<string, Buffer>> | undefined;
/** The genuine bundle, made once. */
const bundle = () => (made ??= makeBundle());

async function makeBundle(): Promise<Map<string, Buffer>> {
  const repository = new SampleRepository({ "cart.py": CART, "test_cart.py": CART_TESTS });
  repository.write(CHANGED);
  return proveBundle(repository.directory);
}

const documentOf = (files: ReadonlyMap<string, Buffer>): EvidenceDocument =>
  JSON.parse(files.get("evidence.json")?.toString("utf8") ?? "");

test("a genuine bundle holds, also for a Miracle of another number", async () => {
  const genuine = await bundle();
  expect(documentOf(await bundle()).verdict.status).toBe("proven-in-part");
  expect(await check(genuine)).toMatchObject({ faults: [], unchecked: [] });
  expect(await check(genuine, "9.9.9")).toMatchObject({ faults: [], unchecked: [] });
});

const place =
  (path: string, unit?: string) =>
  (line: { path: string; unit?: string | undefined }): boolean =>
    line.path === path && line.unit === unit;

const FIELDS: [string, (document: EvidenceDocument) => void, string][] = [
  [
    "the verdict",
    ({ verdict }) => (verdict.status = "proven"),
    'verdict.status: the measurements say "proven-in-part"',
  ],
  [
    "a place of the account",
    (document) => (document.account = document.account?.filter((line) => !place("deploy.yml")(line)) ?? []),
    "account.",
  ],
  [
    "a standing",
    ({ account }) => ((account?.find(place("deploy.yml")) ?? gone()).standing = "inert"),
    'standing: the measurements say "not-judged", evidence.json says "inert"',
  ],
  ["what a person left", ({ account }) => ((account?.find(place("deploy.yml")) ?? gone()).left = true), "left: "],
  ["a role", ({ tests }) => ((tests[0] ?? gone()).role = "flaky"), "tests.0.role: the measurements say "],
  ["coverage", (document) => (document.coverage = null), "coverage: the measurements say "],
  ["the mutants", ({ mutants }) => void mutants?.results.splice(0), "mutants.results.0: the measurements say "],
  ["behaviour", ({ behaviour }) => void behaviour?.pop(), "behaviour."],
  ["the witness", ({ witness }) => void witness?.tests.splice(0), "witness.tests.0: the measurements say "],
  ["the scan", (document) => (document.scans = null), "scans: the measurements say []"],
  ["what was not checked", (document) => (document.notChecked = []), "notChecked.0: the measurements say "],
  ["the files", ({ change }) => void change.files.pop(), "change.files."],
  ["a limit", ({ limits }) => (limits.mutationScore = 0.1), "limits.mutationScore: the measurements say null"],
  ["a note", ({ notes }) => notes.push("seen by a person"), "notes.0: the measurements say nothing"],
  ["a field of its own", (document) => Object.assign(document, { audited: true }), "audited: the measurements say"],
];

test.each(FIELDS)("another word about %s is found, and the field is named", async (_, edit, fault) => {
  const { faults } = await check(withDocument(await bundle(), edit));
  expect(faults.join("\n")).toContain(fault);
});

test("every field of a document is checked: none can be taken out unseen", async () => {
  const document = z.record(z.string(), z.unknown()).parse(documentOf(await bundle()));
  const genuine = await bundle();
  for (const field of Object.keys(document)) {
    const forged = JSON.stringify({ ...document, [field]: undefined });
    const { faults } = await check(new Map([...genuine, ["evidence.json", Buffer.from(forged)]]));
    expect([field, faults.length > 0]).toEqual([field, true]);
  }
});

const measuredOtherwise = async (edit: (rows: MeasuredRow[]) => void) => withMeasurements(await bundle(), edit);

const row = (rows: MeasuredRow[], name: string) => rows.find((one) => one.name === name) ?? gone();

test("a measurement that is missing, doubled, or of something else is found", async () => {
  const without = await check(
    await measuredOtherwise((rows) => void rows.splice(rows.indexOf(row(rows, "mutants")), 1)),
  );
  expect(without.faults).toContain("measurements.json: nobody measured this: mutants");
  const other = await check(await measuredOtherwise((rows) => void Object.assign(row(rows, "suites"), { of: "0" })));
  expect(other.faults).toContain("measurements.json: nobody measured this: suites");
  const more = await check(await measuredOtherwise((rows) => void rows.push({ name: "more", found: 1, ms: 0 })));
  expect(more.faults).toContain("measurements.json: nothing rests on this: more");
  const twice = await check(await measuredOtherwise((rows) => void rows.push({ ...row(rows, "scan"), found: [] })));
  expect(twice.faults).toContain("measurements.json: it cannot be read");
});

test("mutants that were left out of the measurements make nothing shown", async () => {
  const forged = await measuredOtherwise((rows) => void row(rows, "mutants").found.results.splice(1));
  const { account, verdict } = documentOf(forged);
  expect(verdict.status).not.toBe("proven");
  expect(account?.find(place("cart.py", "cheapest"))).toMatchObject({
    standing: "not-judged",
    why: expect.stringMatching(/^nobody tells what came of \d+ of them$/),
  });
});

test("a place that the interpreter is said not to have seen is found", async () => {
  const forged = await measuredOtherwise((rows) => {
    for (const { found } of rows.filter(({ name }) => name === "reading the change")) {
      const answer = JSON.parse(found.stdout);
      // The files of the tests are read by themselves.
      if (!answer["cart.py"]) continue;
      answer["cart.py"].units = answer["cart.py"].units.filter((unit: { name: string }) => unit.name !== "total");
      found.stdout = JSON.stringify(answer);
    }
  });
  const { faults } = await check(forged);
  expect(faults).toEqual([expect.stringMatching(/^measurements.json: nobody measured this: /)]);
});

test("the evidence of a task that is called a proof of a change does not hold", async () => {
  const forged = new Map([...(await bundle())].filter(([name]) => name !== "measurements.json"));
  forged.set("cassette.json", Buffer.from("{}"));
  const { faults } = await check(forged);
  expect(faults).toEqual(
    expect.arrayContaining([
      "measurements.json: it is missing, and evidence.json does not say why",
      "cassette.json: evidence.json does not name it",
    ]),
  );
});

test("without measurements or a tree nothing is derived, and that is said", async () => {
  for (const name of ["measurements.json", "trees/base.json", "trees/result.json"]) {
    const forged = withDocument(await bundle(), ({ notes }) => notes.push(leftOut(name, "it is too large")));
    forged.delete(name);
    const { faults, unchecked } = await check(forged);
    expect([name, faults]).toEqual([name, []]);
    expect(unchecked).toContain(`${name} is not in the bundle, so nothing of evidence.json can be derived`);
  }
});

test("what another version judged otherwise is not checked, and no fault", async () => {
  const forged = withDocument(await bundle(), (document) => {
    document.versions.miracle = "0.0.1";
    document.verdict.summary = "proven in part";
  });
  const { faults, unchecked } = await check(forged);
  expect(faults).toEqual([]);
  expect(unchecked.join("\n")).toMatch(/verdict.summary: .*, as this version judges/);
});

const gone = (): never => {
  throw new Error("the genuine bundle has it");
};
