// Starts processes: patches are made by git.
import { expect, test } from "vitest";
import { z } from "zod";
import type { EvidenceDocument } from "../src/domain/evidence/evidence-document.ts";
import type { Json } from "../src/domain/json.ts";
import { replayFaults } from "../src/engine/replay-faults.ts";
import { type Cassette, CassetteRecording } from "../src/journal/cassette.ts";
import { sha256 } from "../src/journal/hash.ts";
import { verifyRecording } from "../src/journal/verify.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { leftOut } from "../src/verify/evidence/bundle.ts";
import { checkBundle, type Derive } from "../src/verify/evidence/check-bundle.ts";
import { deriveTask } from "../src/verify/evidence/derive-task.ts";
import { bundleOf, derivingChange, forgedCassette, shipped, withDocument, written } from "./forged-bundle.ts";

const VERSION = "0.1.0";
const genuine = shipped("python-fix.json");
let made: Promise<Map<string, Buffer>> | undefined;
/** The genuine bundle, made once. */
const bundle = () => (made ??= bundleOf(genuine));
const deriving = deriveTask((recording) => replayFaults(recording, openLanguages()));
const known = new Map<string, ReturnType<Derive>>();
/** The same journal with the same trees says the same: most forgeries leave both as they are. */
const run: Derive = (files, trees) => {
  const key = sha256(JSON.stringify([files.get("cassette.json")?.toString("utf8") ?? null, [...trees.ids]]));
  const derived = known.get(key) ?? deriving(files, trees);
  known.set(key, derived);
  return derived;
};
const check = (forged: ReadonlyMap<string, Buffer>, version = VERSION) =>
  checkBundle(written(forged), { version, derive: { run, prove: derivingChange } });

/** The faults of a bundle whose document says something else, and whose every other file was made to fit. */
const said = async (edit: (document: EvidenceDocument) => void) =>
  (await check(withDocument(await bundle(), edit))).faults;

test("a genuine bundle holds, also for a Miracle of another number", async () => {
  const files = await bundle();
  expect(await check(files)).toMatchObject({ faults: [], unchecked: [] });
  expect(await check(files, "9.9.9")).toMatchObject({ faults: [], unchecked: [] });
});

const FIELDS: [string, (document: EvidenceDocument) => void, string][] = [
  ["the verdict", ({ verdict }) => (verdict.summary = "proven: all of it"), "verdict.summary: the journal says"],
  ["what carries it", ({ verdict }) => verdict.carriedBy.unshift("accept"), "verdict.carriedBy.0: the journal says"],
  ["a role", ({ tests }) => ((tests[0] ?? never()).role = "flaky"), "tests.0.role: the journal says "],
  ["an outcome", ({ tests }) => ((tests.at(-1) ?? never()).after = "failed"), "after: the journal says"],
  ["coverage", (document) => (document.coverage = { files: [], share: 1 }), "coverage.share: it says 1"],
  ["a mutant's fate", ({ mutants }) => ((mutants?.results[0] ?? never()).fate = "skipped"), "mutants.counts.killed"],
  ["a requirement", ({ requirements }) => requirements.pop(), "requirements.2: the journal says"],
  ["its support", ({ requirements }) => ((requirements[0] ?? never()).support = "held"), "requirements.0.support"],
  ["the scan", (document) => (document.scans = null), "scans: the journal says [], evidence.json says null"],
  ["the model", ({ models }) => (models.coder = ["openai/gpt-9"]), "models.coder.0: the journal says"],
  ["the cost", ({ cost }) => ((cost ?? never()).tokens = 12), "cost.tokens: the journal says "],
  ["the calls", ({ cost }) => ((cost ?? never()).calls = 1), "cost.calls: the journal says "],
  ["the limits", ({ limits }) => (limits.maxIterations = 99), "limits.maxIterations: the journal says"],
  ["a version", ({ versions }) => (versions.python = "3.99"), "versions.python: the journal says"],
  ["the goal", (document) => (document.goal = "nothing"), "goal: the journal says"],
  ["the time", (document) => (document.at = 1), "at: the journal says"],
  ["the files of the change", ({ change }) => change.files.pop(), "change.files.1: the journal says"],
  ["a finding", ({ integrity }) => integrity.push({ code: "x", weight: "named", message: "" }), "integrity.0"],
  [
    "an approval",
    ({ approvals }) =>
      approvals.push({ request: { id: "a1", subject: "deps", question: "", detail: "" }, answer: null }),
    "approvals.0",
  ],
  ["a test file", ({ hashes }) => hashes.tests.pop(), "tests/tests/test_include_last_day_unseen.py: evidence.json"],
  ["a head", ({ hashes }) => ((hashes.journal[0] ?? never()).head = "0"), "hashes.journal.0.head"],
  ["a note", ({ notes }) => notes.push("reviewed by hand"), "notes.0: the journal says nothing"],
  ["a field of its own", (document) => Object.assign(document, { audited: true }), "audited: the journal says nothing"],
];

test.each(FIELDS)("another word about %s is found, and the field is named", async (_, edit, fault) => {
  expect((await said(edit)).join("\n")).toContain(fault);
});

test("every field of a document is checked: none can be taken out or exchanged unseen", async () => {
  const files = await bundle();
  const document = z.record(z.string(), z.unknown()).parse(JSON.parse(files.get("evidence.json")?.toString() ?? ""));
  for (const field of Object.keys(document)) {
    const forged = JSON.stringify({ ...document, [field]: undefined });
    const { faults } = await check(new Map([...files, ["evidence.json", Buffer.from(forged)]]));
    expect([field, faults.length > 0]).toEqual([field, true]);
  }
});

test("a file that is gone without a word is a fault, with a word it was not checked", async () => {
  const files = await bundle();
  const without = async (name: string, why?: string) => {
    const bare = new Map(files);
    bare.delete(name);
    return check(withDocument(bare, ({ notes }) => void (why && notes.push(leftOut(name, why)))));
  };
  const names = [...files.keys()].filter((name) => !/^(evidence|junit|ctrf)\./.test(name));
  expect(names).toEqual(
    expect.arrayContaining(["change.patch", "cassette.json", "trees/base.json", "trees/result.json"]),
  );
  for (const name of names) {
    const gone = await without(name);
    expect(gone.faults).toContainEqual(`${name}: it is missing, and evidence.json does not say why`);
    const named = await without(name, "it is too large");
    expect([name, named.faults]).toEqual([name, []]);
    expect(named.unchecked).toContain(`${name} is not in the bundle, because it is too large`);
  }
});

test("a patch that was edited beside a removed tree is found", async () => {
  const files = await bundle();
  const forged = new Map(files);
  forged.delete("trees/base.json");
  const patch = files.get("change.patch")?.toString("utf8") ?? "";
  forged.set("change.patch", Buffer.from(patch.replace(/^\+.*/m, "+harmless")));
  expect((await check(forged)).faults).toEqual([
    expect.stringMatching(/^trees\/base.json: it is missing/),
    "evidence.html: it does not say what evidence.json says",
  ]);
});

/** The bundle of an edited recording, made as if it were genuine: everything in it fits together. */
const recorded = async (edit: Parameters<typeof forgedCassette>[1], from: Cassette = genuine) => {
  const cassette = await forgedCassette(from, edit);
  const recording = new CassetteRecording(cassette);
  expect((await verifyRecording(recording)).faults).toEqual([]);
  const forged = await check(await bundleOf(cassette));
  expect(forged.faults.every((fault) => fault.startsWith("cassette.json: "))).toBe(true);
  return [await replayFaults(recording, openLanguages()), forged.faults].map((found) => found.join("\n"));
};

const at =
  (path: string, side: "input" | "output", change: (text: string) => string) =>
  (value: Json, place: { step: { path: string }; side: string }): Json =>
    place.step.path === path && place.side === side ? changed(JSON.stringify(value), change) : value;

function changed(text: string, change: (text: string) => string): Json {
  const forged = change(text);
  expect(forged).not.toBe(text);
  return JSON.parse(forged);
}

const EDITS: [string, ReturnType<typeof at>, RegExp][] = [
  [
    "the outcome of an unseen test",
    at("task/held-out/1", "output", (text) => text.replace('"outcome":"passed"', '"outcome":"red"')),
    /diverges at step task\/(held-out|witness|mutants|dispute)\/1/,
  ],
  [
    "a mutant's fate",
    at("task/mutants/1", "output", (text) => text.replace('"fate":"killed"', '"fate":"survived"')),
    /diverges at step task\/(account|evidence)\/1/,
  ],
  [
    "the evidence that was gathered",
    at("task/evidence/1", "input", (text) => text.replace('"support":"red-to-green"', '"support":"held"')),
    /diverges at step task\/evidence\/1: its input differs/,
  ],
  [
    "an unseen test",
    at("task/held-out/1", "input", (text) => text.replace("assert", "assert True or")),
    /diverges at step task\/held-out\/1: its input differs/,
  ],
  [
    "what a model answered",
    at("task/plan/1", "output", (text) => text.replace("decide the requirements", "decide nothing")),
    /diverges at step/,
  ],
  ["the end", at("task/settle/1", "input", (text) => text.replace('"proven"', '"checked"')), /task\/settle\/1/],
  [
    "the outcome of a gate",
    at("todo:include-last-day/iteration:1/test/1", "output", (text) =>
      text.replace('"outcome":"passed"', '"outcome":"failed"'),
    ),
    /diverges at step/,
  ],
];

test.each(EDITS)(
  "an edit of %s in the journal, with every hash made anew, is found where a later step rests on it",
  async (_, edit, fault) => {
    for (const found of await recorded(edit)) expect(found).toMatch(fault);
  },
);

test("a strand that the task never comes to is found", async () => {
  const forged = await forgedCassette(genuine, (value) => value);
  const [first] = forged.steps.filter(({ kind }) => kind === "model");
  const last = Math.max(...forged.steps.map(({ sequence }) => sequence));
  const step = {
    ...(first ?? never()),
    strand: "todo:more",
    path: "todo:more/plan/1",
    sequence: last + 1,
    position: 0,
  };
  const more = await forgedCassette({ ...forged, steps: [...forged.steps, step] }, (value) => value);
  const faults = await replayFaults(new CassetteRecording(more), openLanguages());
  expect(faults).toEqual(["strand todo:more: the task never comes to it"]);
});

test("a recording of another format does not hold, and says so in one line", async () => {
  const frozen = (value: Json): Json => Object.assign(value ?? never(), { format: 7 });
  const cassette = await forgedCassette(genuine, (value) => value, frozen);
  const forged = new Map(await bundle()).set("cassette.json", Buffer.from(JSON.stringify(cassette)));
  const { faults } = await check(forged);
  expect(faults).toEqual([expect.stringMatching(/^cassette.json: .*another format \(7; this Miracle reads 2\)/)]);
});

const never = (): never => {
  throw new Error("the recording has it");
};
