/** Effects of a task outside of its checkouts and its own store. The intent of each is recorded before it. */
type EffectKind = "apply" | "branch";

/** One step of such an effect: the intent, the execution, or the undo. */
export interface EffectStep {
  kind: EffectKind;
  part: "intent" | "done" | "undone";
  /**
   * Distinguishes effects of one kind: a branch by its commit. All writes into the user's directory count as one
   * effect.
   */
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

/** The part that a step of this name plays in an effect; undefined if it has none. */
export const effectNamed = (name: string): Named | undefined => (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined);

/**
 * The intents that are not taken back, newest first, which is the order to take them back in. An intent counts whether
 * or not its effect was completed: after a crash nobody knows how far the effect came.
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
