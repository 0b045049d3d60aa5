import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountLine, placeOf } from "../../domain/evidence/account.ts";
import type { EvidenceDocument, EvidenceTest } from "../../domain/evidence/evidence-document.ts";
import { fail } from "../../domain/failure.ts";
import { BUNDLE } from "../evidence/bundle.ts";
import { Asked } from "./asked.ts";
import { Measurements } from "./measurements.ts";
import { prove } from "./prove.ts";
import type { ProveParts } from "./prove-parts.ts";
import { type Rerun, together, twice } from "./rerun.ts";
import { compareMutants } from "./rerun-proof.ts";

/** Whoever made the bundle may have given too little time to find anything. */
const LEAST_BUDGET_MS = 600_000;

/** The whole proof of a change once more, on the trees of its bundle: nothing that was measured is taken over. */
export async function rerunChange(
  directory: string,
  document: EvidenceDocument,
  project: string,
  parts: ProveParts,
): Promise<Rerun> {
  const file = join(directory, BUNDLE.measurements);
  if (!existsSync(file))
    throw fail(
      "invalid-input",
      "evidence.no-measurements",
      `${BUNDLE.measurements} is not in the bundle, so its proof cannot be run again`,
    );
  const known = Measurements.read(readFileSync(file, "utf8"));
  if (!known) throw fail("invalid-input", "evidence.no-measurements", `${BUNDLE.measurements} cannot be read`);
  const { accept, superseded, leave, mutationScore, budgetMs } = await known.take("asked", Asked, unasked);
  const ours = Math.max(budgetMs, LEAST_BUDGET_MS);
  const request = { directory: project, accept, superseded, leave, mutationScore, budgetMs: ours };
  return twice(async () => compareProofs(document, await prove(request, parts, known.only("taking the change"))));
}

const unasked = (): never => {
  throw fail("invalid-input", "evidence.no-measurements", `${BUNDLE.measurements} does not say what was asked`);
};

/** What the evidence says and a second proof of the same trees does not. That it shows more here is no fault. */
export function compareProofs(said: EvidenceDocument, now: EvidenceDocument): Rerun {
  const mutants = compareMutants(said.mutants, now.mutants, said.versions.miracle === now.versions.miracle);
  const isCut = (now.mutants?.counts.notRun ?? 0) > 0;
  const found = [
    ...testDifferences(said.tests, now.tests),
    ...now.integrity
      .filter(
        ({ weight, code, test, path }) =>
          weight === "tampering" &&
          !said.integrity.some((one) => one.code === code && one.test === test && one.path === path),
      )
      .map(({ test, path, message }) => `${test ?? path ?? "the tests"} ${message}: the evidence does not say it`),
    ...scanDifferences(said, now),
    ...commandDifferences(said.accept, now.accept),
    ...witnessDifferences(said.witness, now.witness),
  ];
  const judged = [
    ...accountDifferences(said.account ?? [], now.account ?? []),
    ...(said.versions.miracle === now.versions.miracle ? behaviourDifferences(said.behaviour, now.behaviour) : []),
    ...(said.verdict.status === now.verdict.status
      ? []
      : [`the verdict: ${now.verdict.status}, the evidence says ${said.verdict.status}`]),
  ];
  // Without the mutants for which there was no time nothing is known of the places.
  const rest = { tests: now.tests.length, mutants: 0, differences: isCut ? found : [...found, ...judged] };
  return together([mutants, { ...rest, notRepeated: isCut ? judged : [], settled: !isCut || judged.length === 0 }]);
}

const SIDES = {
  before: "before the change",
  after: "after the change",
  onOldCode: "on the old code",
  oldOnNewCode: "in its old version on the new code",
} as const;
const sides = ["before", "after", "onOldCode", "oldOnNewCode"] as const;

function testDifferences(said: readonly EvidenceTest[], now: readonly EvidenceTest[]): string[] {
  const found = new Map(now.map((test) => [test.id, test]));
  const known = new Set(said.map(({ id }) => id));
  return [
    ...said.filter(({ role }) => role !== "flaky").flatMap((test) => differencesOf(test, found.get(test.id))),
    ...now.filter(({ id }) => !known.has(id)).map(({ id }) => `${id}: the evidence does not have it`),
  ];
}

function differencesOf(said: EvidenceTest, now: EvidenceTest | undefined): string[] {
  if (!now) return [`${said.id}: it does not run, the evidence says ${said.after}`];
  const outcomes = sides
    .filter((side) => said[side] !== now[side])
    .map(
      (side) => `${said.id} ${SIDES[side]}: ${now[side] ?? "not run"}, the evidence says ${said[side] ?? "not run"}`,
    );
  if (outcomes.length > 0 || said.role === now.role) return outcomes;
  return [`${said.id}: its role is ${now.role}, the evidence says ${said.role}`];
}

function commandDifferences(said: EvidenceDocument["accept"], now: EvidenceDocument["accept"]): string[] {
  const word = (run: { passed: boolean } | undefined) => (run ? (run.passed ? "passed" : "failed") : "not run");
  return said.flatMap(({ command, ...runs }) => {
    const again = now.find((one) => one.command === command);
    return (["before", "after", "asBefore"] as const)
      .filter((side) => word(runs[side]) !== word(again?.[side]))
      .map((side) => `$ ${command} (${side}): ${word(again?.[side])}, the evidence says ${word(runs[side])}`);
  });
}

/** Findings of the same rules that the evidence lacks. */
function scanDifferences(said: EvidenceDocument, now: EvidenceDocument): string[] {
  if (said.versions.miracle !== now.versions.miracle) return [];
  const known = new Set(said.scans?.map(({ rule, path, line }) => `${rule} ${path} ${line}`));
  return (now.scans ?? [])
    .filter(({ rule, path, line }) => !known.has(`${rule} ${path} ${line}`))
    .map(({ rule, path, line }) => `${path}:${line}: the scan finds ${rule}, the evidence does not say it`);
}

/** What the list of what behaves otherwise lacks: of a function all whose calls were compared both times. */
function behaviourDifferences(said: EvidenceDocument["behaviour"], now: EvidenceDocument["behaviour"]): string[] {
  return (now ?? []).flatMap((one) => {
    const known = said?.find(({ path, name, kind }) => path === one.path && name === one.name && kind === one.kind);
    if (known && known.compared !== one.compared) return [];
    const listed = new Set(known?.differences.map(({ call }) => call));
    return one.differences
      .filter(({ call }) => !listed.has(call))
      .map(({ call }) => `${one.path} ${one.name}: ${call} behaves otherwise, the evidence does not say it`);
  });
}

function witnessDifferences(said: EvidenceDocument["witness"], now: EvidenceDocument["witness"]): string[] {
  const passed = new Set(said?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  return (now?.tests ?? [])
    .filter(({ id, outcome }) => outcome === "failed" && passed.has(id))
    .map(({ id }) => `${id} where the code is used: failed, the evidence says passed`);
}

/** Places that the evidence calls judged and that are not, and those of which it does not speak. */
function accountDifferences(said: readonly AccountLine[], now: readonly AccountLine[]): string[] {
  const known = Map.groupBy(said, placeOf);
  return now.flatMap((line) => {
    const own = known.get(placeOf(line));
    if (!own) return [`${placeOf(line)}: the evidence does not speak of it`];
    if (line.standing !== "not-judged" || own.some(({ standing }) => standing === "not-judged")) return [];
    return [`${placeOf(line)}: not judged (${line.why}), the evidence says ${own[0]?.standing}`];
  });
}
