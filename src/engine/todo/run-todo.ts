import { isOutside, TerminalFailure } from "../../domain/failure.ts";
import type { LoopState } from "../../domain/loop/loop.ts";
import type { Run } from "../hands/run.ts";
import type { Attempt } from "./attempt.ts";
import { TodoLoop } from "./todo-loop.ts";
import type { TodoInterrupts, TodoResult, TodoWork } from "./todo-work.ts";

/**
 * One attempt at a piece of work: code → test → reflect, as the state machine says, until it is green or given up.
 * `control` may end the attempt from outside, or call it back.
 */
export async function runTodo(
  run: Run,
  work: TodoWork,
  attempt: Attempt,
  control: TodoInterrupts = {},
): Promise<TodoResult> {
  const loop = new TodoLoop(run, work, attempt, control.listening);
  for (;;) {
    const { state } = loop;
    if (state.phase === "success") return loop.result({ ok: true });
    if (state.phase === "failed") return loop.result({ ok: false, failure: state.failure });
    try {
      if (await loop.yields()) return loop.yielded();
      await control.guard?.(run, state);
      await takePhase(loop, state);
    } catch (error) {
      // A terminal failure of the work ends the todo, and the best attempt is kept.
      if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
      await loop.advance({ type: "stopped", failure: error.failure });
    }
  }
}

async function takePhase(loop: TodoLoop, state: LoopState): Promise<void> {
  switch (state.phase) {
    case "init":
      return loop.start();
    case "planning":
      if (state.iteration > 0) await loop.replan(state.iteration);
      return loop.advance({ type: "planned" });
    case "coding":
      return loop.code(state.iteration);
    case "review":
      return loop.review("reviewer", state.iteration);
    case "audit":
      return loop.review("auditor", state.iteration);
    case "testing":
      return loop.test(state.iteration);
    case "reflecting":
      return loop.reflect(state.iteration, state.failure);
  }
}
