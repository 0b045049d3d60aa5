import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exerciseRepository } from "../exercises/exercise-repository.ts";
import { keptAt, prepareExercises } from "../exercises/honest.ts";
import type { Exercise } from "../exercises/read-exercise.ts";
import type { SplitTests } from "../exercises/split-tests.ts";
import type { Measured } from "../result.ts";
import { Case } from "../sabotage/case.ts";
import { SABOTAGES, type Sabotage } from "../sabotage/variants.ts";
import type { Options, Work } from "../work.ts";
import { git } from "./project.ts";
import { proveChange } from "./prove-change.ts";
import { commitsOf, nameOf } from "./real.ts";

/** Honest commits, and exercises as commits, each spoiled in every way: none of these may be proven. */
export async function dishonestWork(options: Options): Promise<Work[]> {
  const commits = commitsOf(options).map(({ project, commit }) => ({
    name: nameOf(project, commit),
    open: (scratch: string) => new Case(project, commit, scratch),
  }));
  const exercises = (await prepareExercises(options)).flatMap(({ name, exercise, split }) => {
    if (exercise.language === "go") return [];
    return [{ name, open: (scratch: string) => openExercise(exercise, split, scratch) }];
  });
  return [...commits, ...exercises].flatMap(({ name, open }) => {
    const facts: { isWork: Promise<boolean> | null } = { isWork: null };
    return Object.entries(SABOTAGES).map(([variant, sabotage]) => ({
      name,
      variant,
      measure: () =>
        inScratch((scratch) => {
          facts.isWork ??= inScratch((own) => bringsSomething(open(own)));
          return measureSabotage(options, { name, variant, sabotage, isWork: facts.isWork, one: open(scratch) });
        }),
    }));
  });
}

function openExercise(exercise: Exercise, split: SplitTests, scratch: string): Case {
  const { project, commit } = exerciseRepository(exercise, split, join(scratch, "origin"));
  return new Case(project, commit, scratch);
}

/** Whether its tests pass on it, and not without it: otherwise there is nothing to spoil. */
async function bringsSomething(one: Case): Promise<boolean> {
  if (!(await one.isGreen())) return false;
  one.putBack(one.commit.sources);
  return !(await one.isGreen());
}

interface Spoiled {
  name: string;
  variant: string;
  sabotage: Sabotage;
  isWork: Promise<boolean>;
  one: Case;
}

async function measureSabotage(
  { miracle, eachMinutes, keep }: Options,
  { name, variant, sabotage, isWork, one }: Spoiled,
): Promise<Measured> {
  const untried = (reason: string): Measured => ({
    name,
    variant,
    verdict: "not-tried",
    exit: null,
    reason,
    seconds: 0,
  });
  if (!(await isWork)) return untried("its tests do not turn from red to green here");
  const told = await sabotage(one);
  if (told === null) return untried("it cannot be spoiled like this");
  // What running the suite left behind is not part of the change.
  git(one.copy, "clean", "-qfdX", "-e", "!node_modules", "-e", "!.venv");
  const { copy, base, scratch } = one;
  const proved = await proveChange(miracle, {
    copy,
    base,
    scratch,
    minutes: eachMinutes,
    keep: keptAt(keep, `${name}-${variant}`),
  });
  return { name, variant, style: one.project.language, ...proved, reason: `${told} | ${proved.reason}` };
}

async function inScratch<Value>(work: (scratch: string) => Promise<Value>): Promise<Value> {
  const scratch = mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
