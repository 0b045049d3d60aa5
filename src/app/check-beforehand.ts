import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fail } from "../domain/failure.ts";
import { unprovenProject } from "../domain/plan/unproven-language.ts";

/** What would stop a task at its end, looked for before a model is asked. A few calls of the system, no process. */
export async function checkBeforehand(directory: string, goal: string, wishes: Wishes): Promise<void> {
  if (!wishes.direct && !wishes.isPlanned) checkLanguage(directory, goal);
  if (wishes.writesFiles) checkWritable(directory);
  await checkConflicts(directory);
}

interface Wishes {
  /** No plan and no proof: a command decides. */
  direct: boolean;
  /** A plan or a template says which language it is. */
  isPlanned: boolean;
  /** The result goes into the directory itself. */
  writesFiles: boolean;
}

function checkLanguage(directory: string, goal: string): void {
  const found = unprovenProject(readdirSync(directory), goal);
  if (found === null) return;
  const { name, test, sign } = found;
  throw fail(
    "invalid-input",
    "language.unproven",
    `this is a ${name} project (${sign}), and Miracle proves Python, JavaScript, TypeScript and Go only; ` +
      `let a command of yours decide: miracle run --direct --accept "${test}" "…"`,
  );
}

function checkWritable(directory: string): void {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `${directory} cannot be written, so the result would have no place: use --no-apply to keep it aside`;
    throw fail("environment", "directory.unwritable", message, { cause });
  }
}

/** Git keeps these while a merge, a rebase or a cherry-pick is under way. */
const UNDER_WAY = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

async function checkConflicts(directory: string): Promise<void> {
  if (!UNDER_WAY.some((name) => existsSync(join(directory, ".git", name)))) return;
  const args = ["-C", directory, "diff", "--name-only", "--diff-filter=U"];
  const found = await promisify(execFile)("git", args).catch(() => ({ stdout: "" }));
  const files = found.stdout
    .trim()
    .split("\n")
    .filter((file) => file !== "");
  if (files.length === 0) return;
  const named = files.slice(0, 3).join(", ");
  throw fail(
    "invalid-input",
    "directory.conflict",
    `git has conflicts in ${named}: resolve them first, then run again`,
  );
}
