import { z } from "zod";

/** Why something did not work, classified so that recovery can be routed. */
export const FailureKind = z.enum([
  "transient", // a network or server fault that may pass by itself
  "logic", // the code is wrong: red tests
  "policy", // refused by a safety rule, a scope or an approval
  "spec-mismatch", // the tests and the goal disagree
  "timeout",
  "resource-limit", // the sandbox's memory, process, disk or output limit was hit
  "flaky",
  "budget", // money, tokens, time or iterations are used up
  "environment", // something the machine lacks: a tool, a permission, a key
  "invalid-input", // what the person or the model gave cannot be used
]);
export type FailureKind = z.infer<typeof FailureKind>;

/** The cause is outside of the task (machine, network, money): the run ends, nothing is recorded, and a resume tries again. */
export const isOutside = (kind: FailureKind): boolean =>
  kind === "environment" || kind === "transient" || kind === "budget";

export const Failure = z.object({
  kind: FailureKind,
  /** Stable, dotted, for programs: `budget.cost`, `model.unauthorized`, `plan.cycle`. */
  code: z.string(),
  /** What happened, where, and what to do, in one line. */
  message: z.string(),
  detail: z.string().optional(),
});
export type Failure = z.infer<typeof Failure>;

/** Ends the work it is thrown in, for good. Any other throw may be retried within its limits. */
export class TerminalFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = "TerminalFailure";
    this.failure = failure;
  }
}

/** Shorthand for the one error type of the product. */
export function fail(
  kind: FailureKind,
  code: string,
  message: string,
  extra?: { detail?: string; cause?: unknown },
): TerminalFailure {
  const failure: Failure = { kind, code, message, ...(extra?.detail !== undefined && { detail: extra.detail }) };
  return new TerminalFailure(failure, extra?.cause === undefined ? undefined : { cause: extra.cause });
}
