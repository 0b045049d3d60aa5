import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runContained } from "../contained.ts";
import type { Exercise, SourceText } from "./read-exercise.ts";
import { layOut } from "./run-exercise.ts";
import type { SplitTests } from "./split-tests.ts";

/** The two halves of an exercise's tests, run as they are, without us. */
export interface OwnTests {
  /** What a solution makes of them. */
  run(solution: SourceText[]): Promise<{ seen: boolean; heldOut: boolean }>;
}

export async function withOwnTests<Value>(
  exercise: Exercise,
  split: SplitTests,
  use: (tests: OwnTests) => Promise<Value>,
): Promise<Value> {
  const scratch = mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  const project = join(scratch, "project");
  const isGreen = async (file: SourceText, half: "seen" | "heldOut") =>
    (await runContained(commandFor(file.path, half), { scratch, cwd: project, minutes: 1 })).exit === 0;
  try {
    layOut(project, [...exercise.base, split.seen, split.heldOut], exercise.nodeModules);
    return await use({
      run: async (solution) => {
        for (const { path, content } of solution) writeFileSync(join(project, path), content);
        const seen = await isGreen(split.seen, "seen");
        return { seen, heldOut: seen && (await isGreen(split.heldOut, "heldOut")) };
      },
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function commandFor(path: string, half: "seen" | "heldOut"): string[] {
  if (path.endsWith(".py")) return ["python3", "-m", "pytest", "-q", "-x", path];
  // The tests of a package are compiled together: which of them run is said by name.
  if (path.endsWith(".go")) return ["go", "test", "-run", half === "heldOut" ? "Unseen$" : "([^n]|[^e]n|[^e]en)$"];
  return ["jest", "--ci", "--runTestsByPath", path];
}
