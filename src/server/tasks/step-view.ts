import { z } from "zod";
import type { ListedStep, readStep } from "../../app/task-steps.ts";
import { Usage } from "../../domain/message.ts";
import { StepKind, StepOutcome } from "../../domain/task/step.ts";
import { nameOf, todoOfStrand } from "../../domain/task/step-path.ts";

/** A recorded step as the API lists it. */
export const StepView = z.object({
  number: z.int().describe("What `fork` names it by"),
  path: z.string(),
  strand: z.string(),
  name: z.string(),
  todo: z.string().nullable(),
  kind: StepKind,
  outcome: StepOutcome,
  /** Above 0: it was done anew after the one before no longer fitted. */
  generation: z.int(),
  startedAt: z.int(),
  endedAt: z.int(),
  model: z.string().nullable(),
  usage: Usage.nullable(),
});
export type StepView = z.infer<typeof StepView>;

/** With what it was given and what came of it. */
export const StepDetail = StepView.extend({ input: z.json(), output: z.json() });
export type StepDetail = z.infer<typeof StepDetail>;

export function viewStep(step: ListedStep): StepView {
  const { strand, path } = step;
  return {
    number: step.sequence,
    path,
    strand,
    name: nameOf(path),
    todo: todoOfStrand(strand) ?? null,
    kind: StepKind.parse(step.kind),
    outcome: StepOutcome.parse(step.outcome),
    generation: step.generation,
    startedAt: Number(step.started_at),
    endedAt: Number(step.ended_at),
    model: step.model ?? null,
    usage: step.usage ?? null,
  };
}

type ReadStep = NonNullable<Awaited<ReturnType<typeof readStep>>>;

export function viewDetail(step: ReadStep, listed: ListedStep | undefined): StepDetail {
  const { sequence, path, strand, kind, outcome, generation, startedAt, endedAt, input, output } = step;
  const of = { number: sequence, path, strand, name: nameOf(path), todo: todoOfStrand(strand) ?? null };
  const used = { model: listed?.model ?? null, usage: listed?.usage ?? null };
  return { ...of, kind, outcome, generation, startedAt, endedAt, ...used, input, output };
}
