import type { Step } from "../domain/step.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import { ApplyIntent } from "../workspace/apply-intent.ts";

/** All that a task did to the user's directory, in the order of it. */
export async function deliverySteps(recording: Recording): Promise<Step[]> {
  const steps: Step[] = [];
  for (const name of await recording.strands()) steps.push(...(await recording.strand(name)).steps);
  return steps
    .filter((step) => ["apply-intent", "apply", "undo"].includes(nameOf(step)))
    .sort((a, b) => a.sequence - b.sequence);
}

/** What was last written, or begun to be written, into the user's directory. */
export async function lastIntent(
  steps: Step[],
  recording: Recording,
): Promise<{ intent: ApplyIntent; takenBack: boolean; byPerson: boolean } | null> {
  const last = steps.findLast((step) => nameOf(step) === "apply-intent" && step.outcome === "ok");
  if (!last) return null;
  const takenBack = steps.some(
    (step) => nameOf(step) === "undo" && step.outcome === "ok" && step.sequence > last.sequence,
  );
  const intent = ApplyIntent.parse(await unpack(last.outputHash, (hash) => recording.blob(hash)));
  // `miracle apply` has strands of its own: what a person asked for is not the task's to take back.
  return { intent, takenBack, byPerson: last.strand.startsWith("apply:") };
}

export function isDelivered(steps: Step[]): boolean {
  const last = steps.findLast((step) => nameOf(step) !== "apply-intent" && step.outcome === "ok");
  return last !== undefined && nameOf(last) === "apply";
}

/**
 * Each delivery is a strand of its own, numbered: a further one must run and not be recalled. One that was cut off
 * between its intent and its end is gone on with.
 */
export function nextStrand(steps: Step[], name: "apply" | "undo"): string {
  const own = steps.filter((step) => step.strand.startsWith(`${name}:`));
  const last = own.at(-1);
  if (last && nameOf(last) === "apply-intent" && last.outcome === "ok") return last.strand;
  return `${name}:${new Set(own.map((step) => step.strand)).size + 1}`;
}

/** Of `<strand>/<name>/<n>`. */
const nameOf = ({ path }: Step): string => path.split("/").at(-2) ?? "";
