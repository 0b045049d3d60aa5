import type { Measured } from "../result.ts";
import { fewOf, tokenEdits } from "../sabotage/token-edits.ts";
import type { Options, Work } from "../work.ts";
import { keptAt, type PreparedExercise, prepareExercises } from "./honest.ts";
import { withOwnTests } from "./own-tests.ts";
import type { SourceText } from "./read-exercise.ts";
import { runExercise } from "./run-exercise.ts";

const TRIES = 25;

/** Solutions that are wrong by one token, which only a test that the coder never saw can notice: none may be proven. */
export async function tokenWork(options: Options): Promise<Work[]> {
  const prepared = await prepareExercises(options);
  return prepared.map((one) => ({ name: one.name, measure: () => measureToken(options, one) }));
}

async function measureToken(options: Options, one: PreparedExercise): Promise<Measured> {
  const { miracle, eachMinutes: minutes, keep } = options;
  const { name, exercise, split } = one;
  const wrong = await wrongSolution(one);
  if (!wrong)
    return { name, verdict: "not-tried", exit: null, reason: "no token makes only unseen tests red", seconds: 0 };
  const { solution, told } = wrong;
  const measured = await runExercise(miracle, exercise, split, {
    solution,
    minutes,
    keep: keptAt(keep, `${name}-token`),
  });
  return { ...measured, name, reason: `${told} | ${measured.reason}` };
}

/** A token of the solution that the visible tests let pass, and a held-out one does not. */
function wrongSolution({
  exercise,
  split,
}: PreparedExercise): Promise<{ solution: SourceText[]; told: string } | null> {
  return withOwnTests(exercise, split, async (tests) => {
    if (!(await tests.run(exercise.solution)).heldOut) return null;
    for (const file of exercise.solution) {
      for (const edit of fewOf(await tokenEdits(file.path, file.content), TRIES)) {
        const solution = exercise.solution.map((one) => (one === file ? { ...file, content: edit.text } : one));
        const { seen, heldOut } = await tests.run(solution);
        if (seen && !heldOut) return { solution, told: `${file.path}:${edit.line} ${edit.before} → ${edit.after}` };
      }
    }
    return null;
  });
}
