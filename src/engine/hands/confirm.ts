import { type AskingParts, approve } from "./approve.ts";
import type { Run } from "./run.ts";

/** How much text a person reads before they answer. `miracle diff` shows the rest. */
const SHOWN_CHARACTERS = 60_000;

/**
 * Shows what is about to happen and asks the person, if the settings demand it. The answer is recorded, so it is asked
 * once.
 */
export async function confirmed(
  run: Run<AskingParts>,
  subject: "plan" | "diff",
  input: unknown,
  text: () => Promise<string>,
): Promise<boolean> {
  if (!run.settings.confirm.includes(subject)) return true;
  const answer = await approve(run, {
    name: `confirm-${subject}`,
    input,
    ask: async () => ({ subject, question: `go on with this ${subject}`, detail: bounded(await text()) }),
  });
  return answer.granted;
}

const bounded = (text: string): string =>
  text.length <= SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, SHOWN_CHARACTERS)}\n… ${text.length - SHOWN_CHARACTERS} characters more`;
