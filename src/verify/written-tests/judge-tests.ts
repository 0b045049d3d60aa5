import { canCarry, type HeldOutTest } from "../../domain/evidence/held-out.ts";
import { isCalled } from "../../domain/evidence/match-test.ts";
import { isRed, type TestCase } from "../../domain/evidence/test-report.ts";
import { changesBehaviour, type Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { casesOf, checkRed, type Guard, type RedRuns } from "./red-check.ts";

interface Examined {
  unfounded: { id: string; why: string }[];
  untwinned: { id: string; why: string }[];
  runs: RedRuns;
}

/** What the tester is told, and what its tests are worth. */
export interface JudgedTests {
  /** The tests cannot be used like this. */
  problems: string[];
  /** They can, but not everything would be shown; told while there is patience. */
  objections: Objection[];
  /** Visible tests that pass without the change, by `file::test`, and single cases of others that do, by id. */
  guards: string[];
  /** Ids of visible tests that must be seen in every verdict. */
  ids: string[];
  heldOut: HeldOutTest[];
}

export interface Objection {
  requirement: string;
  /** The tester may answer by sending the same again: told once. */
  isQuestion: boolean;
  text: string;
}

/** Goals whose proof needs tests that the coder does not see. */
export const needsUnseen = (spec: Spec): boolean => spec.kind !== "documentation" && spec.kind !== "chore";

export function judgeTests(files: TestFile[], examined: Examined, spec: Spec): JudgedTests {
  const visible = files.filter((file) => !file.heldOut);
  const hidden = files.filter((file) => file.heldOut);
  const seen = checkRed(visible, examined.runs);
  const unseen = checkRed(hidden, examined.runs);
  const heldOut = hidden.flatMap((file) =>
    file.covers.map((cover) => worthOf(file, cover, examined, unseen.guards, spec)),
  );
  const objections = [...guardObjections(visible, seen.guards, spec), ...unseenObjections(heldOut, spec)];
  return {
    problems: [...seen.problems, ...unseen.problems],
    objections: objections.filter(
      (one, index) => objections.findIndex(({ requirement }) => requirement === one.requirement) === index,
    ),
    guards: [...seen.guards.keys(), ...seen.passed.filter((id) => !seen.guards.has(id))],
    ids: seen.ids,
    heldOut,
  };
}

function worthOf(
  file: TestFile,
  { test, requirement }: TestFile["covers"][number],
  { unfounded, untwinned, runs }: Examined,
  guards: Map<string, Guard>,
  spec: Spec,
): HeldOutTest {
  const id = `${file.path}::${test}`;
  const groundless = unfounded.find(
    (one) => one.id.startsWith(`${file.path}::`) && isCalled(one.id.slice(file.path.length + 2), test),
  );
  const bare = untwinned.find((one) => one.id === id);
  const cases = casesBefore(file, test, runs);
  const guard = guards.get(id);
  const why = groundless ? `no source says ${groundless.why}` : (bare?.why ?? wrongColour(cases, spec));
  return {
    file: file.path,
    test,
    requirement,
    state: why === undefined ? "unspent" : "unusable",
    before: guard?.before ?? (changesBehaviour(spec.kind) ? "red" : "green"),
    outcome: null,
    cases: cases.map((one) => ({ case: caseOf(one, test), before: one.outcome, after: null })),
    reason: why ?? guard?.why ?? "",
  };
}

/** Each as it went on the tree before the change; of something new, where nothing of it is implemented. */
function casesBefore(file: TestFile, test: string, { base, stubs, onStubs }: RedRuns): TestCase[] {
  const report = onStubs.includes(file.path) ? stubs?.raising : base;
  return report ? casesOf(report, file.path, test) : [];
}

/** `[2-3]` of `TestSum::test_adds[2-3]`. */
const caseOf = ({ name }: TestCase, test: string): string => name.slice(name.lastIndexOf(test) + test.length);

/** Where behaviour is to stay, a test must be green before. */
function wrongColour(cases: TestCase[], spec: Spec): string | undefined {
  if (changesBehaviour(spec.kind)) return undefined;
  return cases.length === 0 || cases.some(isRed)
    ? "it fails before the change, and what it tests is to stay as it is"
    : undefined;
}

function guardObjections(visible: TestFile[], guards: Map<string, Guard>, spec: Spec): Objection[] {
  if (!changesBehaviour(spec.kind)) return [];
  const entries = visible.flatMap((file) =>
    file.covers.map((cover) => ({ ...cover, id: `${file.path}::${cover.test}` })),
  );
  const sharp = new Set(entries.filter(({ id }) => !guards.has(id)).map(({ requirement }) => requirement));
  const dull = [...new Set(entries.map(({ requirement }) => requirement))].filter((id) => !sharp.has(id)).sort();
  return dull.map((id) => {
    const named = entries
      .filter((entry) => entry.requirement === id)
      .map((entry) => `${entry.id} (${guards.get(entry.id)?.why ?? ""})`);
    const text = `nothing shows that ${id} was done: ${named.join(", ")}; sharpen it, or send it again if ${id} truly holds already`;
    return { requirement: id, isQuestion: true, text };
  });
}

function unseenObjections(heldOut: HeldOutTest[], spec: Spec): Objection[] {
  if (!needsUnseen(spec)) return [];
  return spec.requirements.flatMap(({ id }): Objection[] => {
    const own = heldOut.filter((test) => test.requirement === id);
    const carrying = own.filter(canCarry);
    const why = own.map((test) => `${test.test}: ${test.reason}`).join("; ");
    if (carrying.some(({ before }) => before === "red" || !changesBehaviour(spec.kind))) return [];
    if (carrying.length > 0) {
      const text = `no held-out test of ${id} is red before the change: ${why}; sharpen it, or send it again if ${id} truly holds already`;
      return [{ requirement: id, isQuestion: true, text }];
    }
    const text = why === "" ? `${id} has no held-out test` : `no held-out test of ${id} can be used: ${why}`;
    return [{ requirement: id, isQuestion: false, text }];
  });
}
