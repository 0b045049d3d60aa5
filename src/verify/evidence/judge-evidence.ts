import { type AccountLine, openLines, placeOf } from "../../domain/evidence/account.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { noticedOf } from "../../domain/evidence/mutant-report.ts";
import { allFaster, describeSpeed, fallsShort } from "../../domain/evidence/speed.ts";
import { changesBehaviour, type GoalKind } from "../../domain/plan/spec.ts";

/**
 * What keeps the evidence from carrying a verdict; null when it does. Every requirement needs a test that the coder never
 * saw and that passed, and where behaviour was to change, one of them was red before.
 */
export function missingProof(
  { requirements, flakes, mutants, sharpened, speed = [], account = [] }: GatheredEvidence,
  kind: GoalKind,
  mutationScore: number | null = null,
): string | null {
  const open = requirements.filter((item) => item.support === "none");
  const seen = open.filter(({ doubt }) => doubt === "seen-only").map((item) => item.id);
  const [useless] = open.filter(({ doubt }) => doubt === "unseen-unusable");
  const dull = open.filter(({ doubt }) => doubt === "unnoticed").map((item) => item.id);
  const apart = open.filter(({ doubt }) => doubt === "only-tested").map((item) => item.id);
  const alone = open.filter(({ doubt }) => doubt === "unwitnessed").map((item) => item.id);
  const [untried] = open.filter((item) => item.unmeasured !== undefined);
  const bare = open.filter((item) => item.doubt === undefined && item.unmeasured === undefined).map((item) => item.id);
  if (bare.length > 0) return `nothing shows ${bare.join(", ")}`;
  if (seen.length > 0) return `no test that the coder did not see shows ${seen.join(", ")}`;
  if (useless) return `no test that the coder did not see can show ${useless.id}: ${useless.unmeasured}`;
  if (apart.length > 0) return `${apart.join(", ")} works only where it is tested: without the test runner it does not`;
  if (alone.length > 0) return `nobody could see ${alone.join(", ")} work without the test runner`;
  if (dull.length > 0) return `the tests of ${dull.join(", ")} notice no small change of the changed lines`;
  const fault = sharpened?.tests.find(({ end }) => end === "upheld");
  if (fault) return `a sharper test of ${fault.requirement} is red, and the spec says what it asserts: ${fault.reason}`;
  if (untried) return `nobody can tell whether the tests of ${untried.id} can fail: ${untried.unmeasured}`;
  const slow = speed.find(fallsShort);
  if (slow) return `${slow.requirement} is not shown: ${describeSpeed(slow)}`;
  const flaky = flakes?.flipped.map(({ id }) => id) ?? [];
  if (flaky.length > 0) return `${flaky.join(", ")} does not go the same way every time`;
  if (mutationScore !== null && mutants && mutants.score !== null && mutants.score < mutationScore) {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    return `the tests notice ${percent(mutants.score)} of the mutants (asked for: ${percent(mutationScore)})`;
  }
  const unasked = openLines(account);
  if (unasked.length > 0) return unexplained(unasked);
  const turned = requirements.some((item) => item.support === "red-to-green");
  return changesBehaviour(kind) && !turned ? "no test was red before the change, so none shows what it did" : null;
}

const NAMED = 3;

/** What is not delivered without a question: the places, and the flag that answers it. */
function unexplained(open: readonly AccountLine[]): string {
  const places = [...new Set(open.map(placeOf))];
  const more = places.length - NAMED;
  const shown = open.slice(0, NAMED).map((line) => `${placeOf(line)} (${line.why})`);
  const flags = places.slice(0, NAMED).map((place) => `--leave '${place}'`);
  const rest = more > 0 ? ` and ${more} more` : "";
  return `nothing shows ${shown.join(", ")}${rest}, and no requirement asks for it (to accept it: ${flags.join(" ")})`;
}

/**
 * Whether evidence that lacks nothing makes a goal proven. A refactoring is proven by tests that held and would have
 * noticed, speed by a measurement; other goals without new behaviour are only checked.
 */
export function isProvable(kind: GoalKind, { mutants, speed, requirements }: GatheredEvidence): boolean {
  if (changesBehaviour(kind)) return true;
  if (kind === "performance")
    return allFaster(
      speed ?? [],
      requirements.map(({ id }) => id),
    );
  return kind === "refactoring" && mutants?.problem === null && noticedOf(mutants) > 0;
}
