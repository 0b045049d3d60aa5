import type { RoleModel } from "../settings/settings.ts";
import type { Todo } from "./plan.ts";
import type { GoalKind } from "./spec.ts";

export type Difficulty = "easy" | "hard";

/** What is known of a piece of work before anybody has tried it. */
interface Workload {
  /** The planner called the whole goal small. */
  small: boolean;
  kind?: GoalKind | undefined;
  todo?: Pick<Todo, "requirements" | "artifacts" | "dependsOn"> | undefined;
}

const EASY_REQUIREMENTS = 3;
const EASY_FILES = 3;

/** A guess that costs nothing: it only says with which model to begin, and a wrong one is put right by the first failure. */
export function difficultyOf({ small, kind, todo }: Workload): Difficulty {
  if (small) return "easy";
  // To leave everything as it is, or to make it faster, takes more understanding than to add to it.
  if (kind === "refactoring" || kind === "performance") return "hard";
  // Without a plan the goal was not divided.
  if (!todo) return "hard";
  const wide = todo.requirements.length > EASY_REQUIREMENTS || todo.artifacts.length > EASY_FILES;
  return wide ? "hard" : "easy";
}

/**
 * Which of a role's models is asked, from 0, where they are a ladder from the cheapest to the strongest: the first for what
 * looks easy, the second for what does not, and one further up for every iteration that failed.
 */
export function rungOf({ models, escalate }: RoleModel, difficulty: Difficulty, failures: number): number {
  if (!escalate) return 0;
  return Math.min(models.length - 1, (difficulty === "hard" ? 1 : 0) + failures);
}

/** The models in the order in which they are tried: from the rung up, and only then what stands below it. */
export function fromRung(models: string[], rung: number): string[] {
  return [...models.slice(rung), ...models.slice(0, rung).reverse()];
}
