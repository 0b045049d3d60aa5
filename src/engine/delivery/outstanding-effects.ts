/** What a task does outside of its checkouts and its own store, each with an intent that is recorded before it. */
type EffectKind = "apply" | "branch";

/** A step of such an effect: its intent, its doing, its taking back. */
export interface EffectStep {
  kind: EffectKind;
  part: "intent" | "done" | "undone";
  /** Which of its kind: a branch by its commit. What is written into the directory is one thing, however often. */
  id: string;
  ok: boolean;
  sequence: number;
  strand: string;
}

type Named = Pick<EffectStep, "kind" | "part">;

const NAMES: Record<string, Named> = {
  "apply-intent": { kind: "apply", part: "intent" },
  apply: { kind: "apply", part: "done" },
  undo: { kind: "apply", part: "undone" },
  "branch-intent": { kind: "branch", part: "intent" },
  branch: { kind: "branch", part: "done" },
  "undo-branch": { kind: "branch", part: "undone" },
};

/** What a step of this name has to do with effects; undefined when nothing. */
export const effectNamed = (name: string): Named | undefined => (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined);

/**
 * The intents that are not taken back, newest first: that is the order in which they are to be. Whether what was meant
 * was done does not matter, since nobody knows how far a crash let it come.
 */
export function outstandingEffects<Step extends EffectStep>(steps: readonly Step[]): Step[] {
  const open: Step[] = [];
  for (const step of steps.filter(({ ok }) => ok).toSorted((a, b) => a.sequence - b.sequence)) {
    if (step.part === "done") continue;
    const before = open.findIndex(({ kind, id }) => kind === step.kind && id === step.id);
    if (before >= 0) open.splice(before, 1);
    if (step.part === "intent") open.push(step);
  }
  return open.reverse();
}
