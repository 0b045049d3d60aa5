import { useState } from "preact/hooks";
import { Problem } from "../api.ts";

export interface Action {
  busy: boolean;
  problem: Problem | undefined;
  run(work: () => Promise<unknown>): void;
}

/** One thing at a time that a person does; what goes wrong is kept to be shown. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: Problem }>({ busy: false });
  return {
    busy: state.busy,
    problem: state.problem,
    run: (work) => {
      if (state.busy) return;
      setState({ busy: true });
      work().then(
        () => setState({ busy: false }),
        (error: unknown) => {
          const problem = error instanceof Problem ? error : new Problem(0, "page.fault", String(error));
          setState({ busy: false, problem });
        },
      );
    },
  };
}
