import type { Failure } from "../../domain/failure.ts";
import type { TaskOutcome } from "../../domain/task/task.ts";

/** What a script can tell apart. Documented in `miracle --help`: a number, once given, keeps its meaning. */
export const EXIT = {
  done: 0,
  notProven: 1,
  limit: 2,
  budget: 3,
  refused: 4,
  conflict: 5,
  tampered: 6,
  weakened: 7,
  waiting: 10,
  badInput: 64,
  environment: 69,
  internal: 70,
  transient: 75,
  stopped: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Record<ExitCode, string> = {
  [EXIT.done]: "proven (or: the command did what it was asked for)",
  [EXIT.notProven]: "not proven: nothing was applied, the best attempt is kept",
  [EXIT.limit]: "a limit was reached: iterations, turns, time, no progress",
  [EXIT.budget]: "the budget is used up: money or tokens",
  [EXIT.refused]: "refused by a safety rule, a scope, or by you",
  [EXIT.conflict]: "the result conflicts with changes made meanwhile; it is kept, not applied",
  [EXIT.tampered]: "verify or replay found a difference",
  [EXIT.weakened]: "prove refused the change: it makes the tests say less, or brings a test that cannot fail",
  [EXIT.waiting]: "waits for your answer (--wait): `miracle approve`, then `miracle resume`",
  [EXIT.badInput]: "bad input: a flag, a goal, a config file, an unknown task",
  [EXIT.environment]: "something is missing here: a key, a tool, a writable directory",
  [EXIT.internal]: "an error of Miracle's own",
  [EXIT.transient]: "a server or the network failed; try again",
  [EXIT.stopped]: "`sandbox`: a limit stopped the command (otherwise its own exit code, or 128 + the signal)",
  [EXIT.interrupted]: "stopped by you; `miracle resume` goes on",
};

export function exitCodeOfFailure({ kind, code }: Pick<Failure, "kind" | "code">): ExitCode {
  // Codes are finer than kinds, so they go first.
  if (code === "apply.conflict" || code === "undo.conflict") return EXIT.conflict;
  if (code === "apply.merged-red" || code === "apply.unjudged") return EXIT.notProven;
  if (code === "journal.damaged") return EXIT.tampered;
  if (code === "model.unknown") return EXIT.badInput;
  if (code === "model.invalid-output" || code.endsWith(".unfinished")) return EXIT.notProven;
  if (code.startsWith("limit.") || code.startsWith("loop.")) return EXIT.limit;
  switch (kind) {
    case "budget":
      return EXIT.budget;
    case "timeout":
      return EXIT.limit;
    case "policy":
      return EXIT.refused;
    case "environment":
      return EXIT.environment;
    case "invalid-input":
      return EXIT.badInput;
    case "transient":
      return EXIT.transient;
    case "logic":
    case "spec-mismatch":
    case "flaky":
    case "resource-limit":
      return EXIT.notProven;
  }
}

export function exitCodeOfOutcome(outcome: TaskOutcome): ExitCode {
  if (outcome.status === "not-proven") return exitCodeOfFailure(outcome.failure);
  if (outcome.delivery.applied) return EXIT.done;
  if (["not asked for", "left to the server"].includes(outcome.delivery.reason)) return EXIT.done;
  return outcome.delivery.reason === "conflict" ? EXIT.conflict : EXIT.refused;
}
