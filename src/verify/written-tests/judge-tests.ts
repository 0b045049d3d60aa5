import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import { bareName, isNamed } from "../../domain/evidence/match-test.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import { changesBehaviour, type Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { checkRed, type RedRuns } from "./red-check.ts";

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
  objections: string[];
  /** Visible tests that pass without the change, by `file::test`. */
  guards: string[];
  /** Ids of visible tests that must be seen in every verdict. */
  ids: string[];
  heldOut: HeldOutTest[];
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
    objections,
    guards: [...seen.guards.keys()],
    ids: seen.ids,
    heldOut,
  };
}

function worthOf(
  file: TestFile,
  { test, requirement }: TestFile["covers"][number],
  { unfounded, untwinned, runs }: Examined,
  guards: Map<string, string>,
  spec: Spec,
): HeldOutTest {
  const id = `${file.path}::${test}`;
  const groundless = unfounded.find((one) => one.id === `${file.path}::${bareName(test)}`);
  const bare = untwinned.find((one) => one.id === id);
  const why = groundless
    ? `no source says ${groundless.why}`
    : (bare?.why ?? wrongColour(file, test, guards.get(id), runs, spec));
  return {
    file: file.path,
    test,
    requirement,
    state: why === undefined ? "unspent" : "unusable",
    outcome: null,
    reason: why ?? "",
  };
}

/** Where behaviour is to change, a test must be red before; where it is to stay, it must be green. */
function wrongColour(
  file: TestFile,
  name: string,
  guard: string | undefined,
  runs: RedRuns,
  spec: Spec,
): string | undefined {
  if (changesBehaviour(spec.kind)) return guard;
  const found = runs.base?.tests.filter((test) => isNamed(test, file.path, name)) ?? [];
  return found.length === 0 || found.some(isRed)
    ? "it fails before the change, and what it tests is to stay as it is"
    : undefined;
}

function guardObjections(visible: TestFile[], guards: Map<string, string>, spec: Spec): string[] {
  if (!changesBehaviour(spec.kind)) return [];
  const entries = visible.flatMap((file) =>
    file.covers.map((cover) => ({ ...cover, id: `${file.path}::${cover.test}` })),
  );
  const sharp = new Set(entries.filter(({ id }) => !guards.has(id)).map(({ requirement }) => requirement));
  const dull = [...new Set(entries.map(({ requirement }) => requirement))].filter((id) => !sharp.has(id)).sort();
  return dull.map((id) => {
    const named = entries
      .filter((entry) => entry.requirement === id)
      .map((entry) => `${entry.id} (${guards.get(entry.id) ?? ""})`);
    return `nothing shows that ${id} was done: ${named.join(", ")}; sharpen it, or send it again if ${id} truly holds already`;
  });
}

function unseenObjections(heldOut: HeldOutTest[], spec: Spec): string[] {
  if (!needsUnseen(spec)) return [];
  return spec.requirements.flatMap(({ id }) => {
    const own = heldOut.filter((test) => test.requirement === id);
    if (own.some((test) => test.state === "unspent")) return [];
    const why = own.map((test) => `${test.test}: ${test.reason}`).join("; ");
    return [why === "" ? `${id} has no held-out test` : `no held-out test of ${id} can be used: ${why}`];
  });
}
