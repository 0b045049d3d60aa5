import type { Run } from "./run.ts";

/** A tree lives on as a branch of the artifact store, under the name of the todo that made it. */
export function keepBranch(run: Run, todo: string, snapshot: string, message: string): void {
  const { task, claim } = run.parts.journal;
  run.parts.artifacts.setBranch({ task, todo, snapshot, message, at: run.parts.clock(), epoch: claim?.epoch ?? 0 });
}
