import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { startModelServer } from "../../../test/model-server.ts";
import type { Ended, Miracle } from "../miracle.ts";
import type { Measured } from "../result.ts";
import { exerciseRoles, goalOf } from "./exercise-roles.ts";
import type { Exercise, SourceText } from "./read-exercise.ts";
import type { SplitTests } from "./split-tests.ts";

/** An exercise through `miracle run`, as a person would start it in the learner's folder. */
export async function runExercise(
  miracle: Miracle,
  exercise: Exercise,
  split: SplitTests,
  { solution = exercise.solution, minutes, keep }: { solution?: SourceText[]; minutes: number; keep: string | null },
): Promise<Measured> {
  const scratch = keep ?? mkdtempSync(join(tmpdir(), "miracle-verdicts-"));
  const [project, home] = [join(scratch, "project"), join(scratch, "home")];
  const server = await startModelServer(exerciseRoles(exercise, split, solution));
  try {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    layOut(project, exercise.base, exercise.nodeModules);
    const args = [
      "run",
      goalOf(exercise, split),
      "--dir",
      project,
      "--base-url",
      server.baseUrl,
      "--model",
      "scripted",
    ];
    const limits = ["--no-memory", "--template", "none", "--max-iterations", "3", "--json"];
    const ended = await miracle.run([...args, ...limits], { home, minutes });
    if (keep) writeFileSync(join(keep, "output.txt"), `${ended.stdout}\n${ended.stderr}`);
    return { name: exercise.name, style: exercise.language, ...readEnd(ended) };
  } finally {
    await server.close();
    if (!keep) rmSync(scratch, { recursive: true, force: true });
  }
}

export function layOut(project: string, files: SourceText[], nodeModules: string | null): void {
  for (const { path, content } of files) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  mkdirSync(project, { recursive: true });
  if (nodeModules) symlinkSync(nodeModules, join(project, "node_modules"));
  writeFileSync(join(project, ".gitignore"), "node_modules\n__pycache__\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false", ...args], {
      cwd: project,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "the exercise");
}

const RunEnded = z.object({
  type: z.literal("run-ended"),
  ended: z.string(),
  outcome: z
    .object({
      status: z.string(),
      summary: z.string().optional(),
      failure: z.object({ message: z.string(), code: z.string() }).optional(),
    })
    .optional(),
});

function readEnd({ exit, stdout, stderr, seconds }: Ended): Pick<Measured, "verdict" | "exit" | "reason" | "seconds"> {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  const read = RunEnded.safeParse(safeJson(last));
  const firstLine = (text: string) => text.trim().split("\n")[0]?.slice(0, 400) ?? "";
  if (exit === null) return { verdict: "no-end", exit, reason: "it did not end in its time", seconds };
  const outcome = read.data?.outcome;
  if (!outcome) return { verdict: "error", exit, reason: firstLine(stderr) || firstLine(last), seconds };
  const { status, failure } = outcome;
  if (status === "proven" || status === "checked") return { verdict: status, exit, reason: "", seconds };
  if (exit === 70 || exit === 69) return { verdict: "error", exit, reason: firstLine(failure?.message ?? ""), seconds };
  return {
    verdict: "not-proven",
    exit,
    reason: `${failure?.code ?? status}: ${firstLine(failure?.message ?? "")}`,
    seconds,
  };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
