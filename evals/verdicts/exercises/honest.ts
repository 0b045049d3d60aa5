import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Measured } from "../result.ts";
import { type Options, spread, type Work } from "../work.ts";
import { withOwnTests } from "./own-tests.ts";
import { type Exercise, exerciseFolders, readExercise } from "./read-exercise.ts";
import { runExercise } from "./run-exercise.ts";
import { splitGoTests } from "./split-go-tests.ts";
import { type SplitTests, splitTests } from "./split-tests.ts";

export interface PreparedExercise {
  name: string;
  exercise: Exercise;
  split: SplitTests;
}

/** Every exercise with its own solution: what is refused here is refused to somebody who did it right. */
export async function honestWork(options: Options): Promise<Work[]> {
  const prepared = await prepareExercises(options);
  return prepared.map((one) => ({ name: one.name, measure: () => measureExercise(options, one) }));
}

async function measureExercise(
  { miracle, eachMinutes: minutes, keep }: Options,
  one: PreparedExercise,
): Promise<Measured> {
  const { name, exercise, split } = one;
  const { heldOut, isSolved } = await withOwnTests(exercise, split, async (tests) => {
    const stub = await tests.run(
      exercise.base.filter(({ path }) => exercise.solution.some((one) => one.path === path)),
    );
    return { ...(await tests.run(exercise.solution)), isSolved: stub.heldOut };
  });
  // A solution that needs another version of its language says nothing of us.
  if (!heldOut)
    return { name, verdict: "not-tried", exit: null, reason: "its own tests are not green here", seconds: 0 };
  return {
    ...(await runExercise(miracle, { ...exercise, isSolved }, split, { minutes, keep: keptAt(keep, name) })),
    name,
  };
}

/** Names from n on stay unseen until they are asked for: work on the product looks at the others. */
export async function prepareExercises({ from, only, limit, unseen, pytest }: Options): Promise<PreparedExercise[]> {
  const folders = from
    .flatMap(exerciseFolders)
    .filter((folder) => (only === null ? /^[a-m]/.test(basename(folder)) !== unseen : basename(folder) === only));
  const prepared: PreparedExercise[] = [];
  for (const folder of folders) {
    const read = readExercise(folder);
    const exercise = read && pytest ? asPytest(read) : read;
    const split = exercise && (await firstSplit(exercise));
    if (exercise && split)
      prepared.push({ name: `${pytest ? "pytest" : exercise.language}/${exercise.name}`, exercise, split });
  }
  return spread(prepared, limit);
}

async function firstSplit({ tests, language }: Exercise): Promise<SplitTests | null> {
  if (language === "go") return splitGoTests(tests);
  for (const file of tests) {
    const split = await splitTests(file);
    if (split) return split;
  }
  return null;
}

/** The exercise with its tests as users of pytest write them; null where its assertions have no plain form. */
function asPytest(exercise: Exercise): Exercise | null {
  if (exercise.language !== "python") return null;
  const tests = exercise.tests.map(({ path, content }) => {
    const program = join(import.meta.dirname, "restyle_pytest.py");
    const { status, stdout } = spawnSync("python3", [program], { input: content, encoding: "utf8" });
    return status === 0 ? { path, content: stdout } : null;
  });
  return tests.every((test) => test !== null) ? { ...exercise, tests } : null;
}

export function keptAt(keep: string | null, name: string): string | null {
  if (keep === null) return null;
  const directory = join(keep, name.replaceAll("/", "-"));
  mkdirSync(directory, { recursive: true });
  return directory;
}
