import type { EvidenceTest, IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import { type ComparedRuns, type Question, supersededFlag, type TouchedTest } from "./compare-tests.ts";
import type { LostTest, NoticedLoss } from "./notice-loss.ts";

/** What became of the tests of the base. */
interface SettledTests {
  tests: EvidenceTest[];
  integrity: IntegrityFinding[];
  lost: LostTest[];
  questions: Question[];
}

/**
 * What the measuring says of touched tests: one that says less is tampering, one of which nothing could be measured is a
 * question, and of the others nothing is left to ask, unless their old version is red on the new code. Where a test does
 * what it did and only the surroundings differ, or takes what is nearly the same for the same, one sign alone is no
 * accusation: it is a question.
 */
export function settleTouched(runs: ComparedRuns, measured: NoticedLoss): SettledTests {
  const { noticed, untold, numb } = measured;
  const around = new Set(
    runs.touched.filter(({ touch, now }) => touch === "around" && now !== null).map(({ test }) => test),
  );
  const lost = measured.lost.filter(({ test, alike }) => !alike && !around.has(test));
  const less = new Map(measured.lost.map((one) => [one.test, one]));
  const losing = new Set(lost.map(({ test }) => test));
  const asked = new Set(runs.questions.map(({ test }) => test));
  const questions = runs.touched
    .filter(({ test }) => !losing.has(test) && !asked.has(test))
    .flatMap((touched): Question[] => {
      const why = untold.get(touched.test) ?? (isSilent(touched, runs.touched, noticed) ? SILENT : null);
      const missed = less.get(touched.test);
      if (missed) {
        const how = missed.alike ? "lets more pass: it" : "is run otherwise now, and";
        return [question(touched, `${how} no longer notices ${missed.mutants.join(", ")}`)];
      }
      if (why !== null) return [question(touched, `${whatOf(touched)}: ${UNMEASURED} (${why})`)];
      const count = noticed.get(touched.test) ?? 0;
      return numb.has(touched.test) ? [question(touched, `was edited, and notices ${noneOf(count)}; others do`)] : [];
    });
  const open = new Set([...questions, ...runs.questions].map(({ test }) => test));
  const settled = runs.touched.filter(({ test }) => !losing.has(test) && !open.has(test));
  return {
    tests: runs.tests.map((one) => (losing.has(one.id) && one.role !== "gone" ? { ...one, role: "void" } : one)),
    integrity: [
      ...runs.integrity,
      ...lost.map((one) => lessFinding(one)),
      ...settled.filter(({ now }) => now === null).map(({ test }) => remark(test, noticed.get(test) ?? 0)),
    ],
    lost,
    questions: [...runs.questions.filter(({ test }) => !losing.has(test)), ...questions],
  };
}

const SILENT = "it noticed no small change of the code that could be tried";
const UNMEASURED = "whether anything still notices what it noticed could not be measured";

const noneOf = (count: number): string =>
  count === 1
    ? "the small change of the code that it noticed no more"
    : `none of the ${count} small changes of the code that it noticed`;

const whatOf = ({ now, touch }: TouchedTest): string =>
  now === null ? "was taken away" : touch !== "shared" ? "was edited" : "leans on something that was edited";

/** Tests whose own words are what they were stand for each other: only some of them were asked. */
function isSilent({ test, touch }: TouchedTest, all: readonly TouchedTest[], noticed: NoticedLoss["noticed"]): boolean {
  if (touch !== "shared") return (noticed.get(test) ?? 0) === 0;
  return all.every((other) => other.touch !== "shared" || (noticed.get(other.test) ?? 0) === 0);
}

const named = (test: string) => {
  const [file = "", ...name] = test.split("::");
  return { file, name: name.join("::") };
};

const question = ({ test }: TouchedTest, why: string): Question => ({ test, why, flag: supersededFlag(named(test)) });

const lessFinding = ({ test, mutants }: LostTest): IntegrityFinding => ({
  code: "test.says-less",
  weight: "tampering",
  path: named(test).file,
  test,
  message: `no longer notices ${mutants.join(", ")}, and no other test does (if that is meant: ${supersededFlag(named(test))})`,
});

const remark = (test: string, count: number): IntegrityFinding => ({
  code: "test.replaced",
  weight: "named",
  path: named(test).file,
  test,
  message: `was taken away: ${count === 1 ? "the small change" : `all ${count} small changes`} that it noticed ${count === 1 ? "is" : "are"} noticed by others`,
});
