import type { HookCall } from "../../safety/hooks/hooks.ts";
import type { EngineParts } from "./parts.ts";
import { outcomeOf, type ToolOutcome } from "./tool-outcome.ts";
import { coverOf, Refused } from "./warden.ts";

/**
 * Runs a tool between the person's own hooks. A hook may refuse the call before it runs, and may inspect its outcome.
 */
export async function askHooks(
  { hooks, warden, signal }: Pick<EngineParts, "hooks" | "warden" | "signal">,
  call: HookCall,
  tool: () => Promise<string>,
): Promise<ToolOutcome> {
  const done = await outcomeOf(async () => {
    const ruling = await hooks.before(call, signal);
    if (ruling.decision === "deny") throw refused(call, ruling, "not done");
    if (ruling.decision === "ask") {
      const question = `${call.tool} ${JSON.stringify(call.arguments).slice(0, 1000)}`;
      const detail = `${ruling.hook}: ${ruling.reason}`;
      warden.require({ subject: "command", question, detail, covers: [coverOf(`hook ${ruling.hook} ${question}`)] });
    }
    return tool();
  });
  if ("asks" in done || done.refusal) return done;
  const review = await hooks.after(call, done, signal);
  if (review.decision === "deny") {
    return outcomeOf(async () => {
      throw refused(call, review, "done, but its answer is withheld");
    });
  }
  return review.note === "" ? done : { ...done, content: `${done.content}\n(${review.note})` };
}

function refused({ tool }: HookCall, { hook, reason }: { hook: string; reason: string }, what: string): Refused {
  return new Refused(`${what}: a hook of the person's refuses ${tool}: ${reason}`, {
    what: "hook",
    subject: tool,
    reasons: [{ rule: hook, message: reason }],
  });
}
