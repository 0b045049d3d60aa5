import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runContained } from "../contained.ts";
import type { Measured } from "../result.ts";
import { fewOf, tokenEdits } from "../sabotage/token-edits.ts";
import type { Options, Work } from "../work.ts";
import { keptAt, type PreparedExercise, prepareExercises } from "./honest.ts";
import type { SourceText } from "./read-exercise.ts";
import { layOut, runExercise } from "./run-exercise.ts";

const TRIES = 25;

/** Solutions that are wrong by one token, which only a test that the coder never saw can notice: none may be proven. */
export async function tokenWork(options: Options): Promise<Work[]> {
  const prepared = await prepareExercises(options);
  return prepared.map((one) => ({ name: one.name, measure: () => measureToken(options, one) }));
}

async function measureToken(
  { miracle, eachMinutes, keep }: Options,
  { name, exercise, split }: PreparedExercise,
): Promise<Measured> {
  const wrong = await wrongSolution({ name, exercise, split });
  if (!wrong)
    return { name, verdict: "not-tried", exit: null, reason: "no token makes only unseen tests red", seconds: 0 };
  const { solution, variant } = wrong;
  const options = { solution, minutes: eachMinutes, keep: keptAt(keep, `${name}-token`) };
  return { ...(await runExercise(miracle, exercise, split, options)), name, variant };
}

/** A token of the solution that the visible tests let pass, and a held-out one does not. */
async function wrongSolution({
  exercise,
  split,
}: PreparedExercise): Promise<{ solution: SourceText[]; variant: string } | null> {
  const scratch = mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  try {
    const project = join(scratch, "project");
    layOut(project, [...exercise.base, split.seen, split.heldOut], exercise.nodeModules);
    const put = (files: SourceText[]) => {
      for (const { path, content } of files) writeFileSync(join(project, path), content);
    };
    const isGreen = async ({ path }: SourceText) =>
      (await runContained(commandFor(path), { scratch, cwd: project, minutes: 0.5 })).exit === 0;
    put(exercise.solution);
    if (!(await isGreen(split.seen)) || !(await isGreen(split.heldOut))) return null;
    for (const file of exercise.solution) {
      for (const edit of fewOf(await tokenEdits(file.path, file.content), TRIES)) {
        const solution = exercise.solution.map((one) => (one === file ? { ...file, content: edit.text } : one));
        put(solution);
        if ((await isGreen(split.seen)) && !(await isGreen(split.heldOut))) {
          return { solution, variant: `${file.path}:${edit.line} ${edit.before} → ${edit.after}` };
        }
      }
    }
    return null;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function commandFor(path: string): string[] {
  if (path.endsWith(".py")) return ["python3", "-m", "pytest", "-q", "-x", path];
  // The tests of a package are compiled together: which of them run is said by name.
  if (path.endsWith(".go"))
    return ["go", "test", ...(path.includes("unseen") ? ["-run", "Unseen"] : ["-run", "[^n]$"])];
  return ["jest", "--ci", "--runTestsByPath", path];
}
