import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../projects/pick-commits.ts";
import { git, type Project } from "../projects/project.ts";
import type { Exercise } from "./read-exercise.ts";
import { layOut } from "./run-exercise.ts";
import type { SplitTests } from "./split-tests.ts";

/** An exercise as a repository of two commits: what the learner gets, and its solution with all tests. */
export function exerciseRepository(
  { name, language, base, solution, nodeModules }: Exercise,
  { seen, heldOut }: SplitTests,
  directory: string,
): { project: Project; commit: Commit } {
  layOut(directory, base, nodeModules);
  for (const { path, content } of [...solution, seen, heldOut]) writeFileSync(join(directory, path), content);
  git(directory, "add", "-A");
  git(directory, "commit", "-qm", "solve it");
  const hash = execFileSync("git", ["-C", directory, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const isPython = language === "python";
  const suite = isPython ? ["python3", "-m", "pytest", "-q"] : ["jest", "--ci"];
  return {
    project: { name, directory, language: isPython ? "python" : "javascript", suite },
    commit: { hash, subject: name, sources: solution.map(({ path }) => path), tests: [seen.path, heldOut.path] },
  };
}
