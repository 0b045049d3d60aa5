import { checkRefPart } from "./repository.ts";

/** Below it, each snapshot of a task has a ref that keeps it. */
export const snapshotRefs = (task: string): string => `refs/miracle/${checkRefPart(task)}`;

/** The name says which snapshot it is. The value is the snapshot, or a commit of it that can travel. */
export const snapshotRef = (task: string, id: string): string => `${snapshotRefs(task)}/${id}`;

/** Below it, each todo of a task has a branch. */
export const branchRefs = (task: string): string => `refs/heads/ai/generated/${checkRefPart(task)}`;
