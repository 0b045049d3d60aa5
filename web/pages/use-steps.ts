import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "../api.ts";
import type { StepView } from "../shapes.ts";

export interface Steps {
  steps: StepView[];
  problem: Problem | undefined;
}

/** All steps so far. When more may have come, only what is behind the last one is asked for. */
export function useSteps(task: string, version: number): Steps {
  const [state, setState] = useState<Steps>({ steps: [], problem: undefined });
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const load = async () => {
      const steps = [...state.steps];
      for (;;) {
        const page = await api.steps(task, steps.at(-1)?.number ?? -1, signal);
        steps.push(...page.steps);
        if (page.steps.length > 0) setState({ steps: [...steps], problem: undefined });
        if (page.next === null) return;
      }
    };
    // Steps come in bursts: one question for all of them.
    const timer = setTimeout(
      () => {
        load().catch((error: unknown) => {
          if (!signal.aborted && error instanceof Problem) setState((before) => ({ ...before, problem: error }));
        });
      },
      state.steps.length === 0 ? 0 : 400,
    );
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [task, version]);
  return state;
}
