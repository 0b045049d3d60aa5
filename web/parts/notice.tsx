import type { ComponentChildren } from "preact";
import type { Problem } from "../api.ts";

/** What went wrong, in the server's own words. */
export function Trouble({ problem }: { problem: Problem | undefined }) {
  if (!problem || problem.status === 401) return null;
  return (
    <p class="trouble" role="alert">
      {problem.message}
    </p>
  );
}

/** Said where there is nothing to show. */
export function Hint({ children }: { children: ComponentChildren }) {
  return <p class="hint">{children}</p>;
}

export function Waiting({ what }: { what: string }) {
  return (
    <p class="hint" aria-busy="true">
      {what} …
    </p>
  );
}
