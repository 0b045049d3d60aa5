import { z } from "zod";
import { AmendmentResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { ToolSchema } from "../../domain/message.ts";
import { ToldMessage } from "../../domain/plan/amendment.ts";
import type { EngineParts } from "./parts.ts";
import type { Run } from "./run.ts";

/** What it takes to hear a person. */
export type ListeningParts = Pick<EngineParts, "journal" | "messages">;

/** A message with the form of the planner's answer to it, as it was when it was heard. */
const HeardMessage = z.lazy(() => z.object({ message: ToldMessage, form: ToolSchema.unwrap().shape.parameters }));
export type HeardMessage = z.infer<typeof HeardMessage>;

/** Whether there is something to hear: in what was recorded the next step says so, after it the messages that wait. */
export async function hasMessage(run: Run<ListeningParts>): Promise<boolean> {
  return run.isNext("amend") ?? (await run.parts.messages.next()) !== null;
}

/**
 * Takes the next message, if there is one. That it was heard is committed with the step, so it is heard once. Where
 * nobody says anything there is no step.
 */
export async function nextMessage(run: Run<ListeningParts>): Promise<HeardMessage | null> {
  if (!(await hasMessage(run))) return null;
  return run.step({ kind: "decision", name: "amend", input: null, output: HeardMessage }, async ({ emit }) => {
    const message = await run.parts.messages.next();
    if (!message) throw new Error("a message that waited is gone");
    emit({ type: "message-heard", message });
    return { message, form: parametersOf(AmendmentResult) };
  });
}
