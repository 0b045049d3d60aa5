import type { Todo } from "../../domain/plan/plan.ts";
import { Checkouts } from "./checkout.ts";
import type { Approvals, EngineParts } from "./parts.ts";
import type { Run } from "./run.ts";

/**
 * Creates the runs of todos that work at the same time. Each has its own checkouts, and a person hears one at a time.
 */
export class TodoRuns {
  readonly #run: Run;
  readonly #voices = new Set<string>();
  #lastQuestion: Promise<unknown> = Promise.resolve();

  constructor(run: Run) {
    this.#run = run;
  }

  of(todo: Todo, stop: AbortSignal): Run {
    const { journal, checkouts, approvals, onDelta } = this.#run.parts;
    const signal = AbortSignal.any([this.#run.parts.signal, stop]);
    this.#voices.add(todo.id);
    return this.#run.with({
      ...ownFiles(todo),
      journal: journal.withSignal(signal),
      signal,
      checkouts: new Checkouts((name) => checkouts.named(`${todo.id}.${name}`)),
      approvals: this.#oneAtATime(approvals),
      // Nobody could read the text of two models at once, so only the todo that began first is heard.
      onDelta: (text) => {
        if (this.#voices.values().next().value === todo.id) onDelta(text);
      },
    });
  }

  leave(todo: Todo): void {
    this.#voices.delete(todo.id);
  }

  #oneAtATime(approvals: Approvals): Approvals {
    const { ask } = approvals;
    if (!ask) return approvals;
    return {
      ...approvals,
      ask: (request, signal) => {
        const asked = this.#lastQuestion.then(() => {
          signal.throwIfAborted();
          return ask(request, signal);
        });
        this.#lastQuestion = asked.catch(() => {});
        return asked;
      },
    };
  }
}

/** A todo's file scope, where it has one. */
export const ownFiles = ({ files }: Todo): Pick<EngineParts, "todoFiles"> => (files ? { todoFiles: files } : {});
