import { z } from "zod";
import { AmendmentResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { ToolSchema } from "../../domain/message.ts";
import { ToldMessage } from "../../domain/plan/amendment.ts";
import type { EngineParts } from "./parts.ts";
import type { Run } from "./run.ts";

/** The parts that hearing a person needs. */
export type ListeningParts = Pick<EngineParts, "journal" | "messages">;

/** A message, with the schema of the planner's answer as it was when the message was heard. */
const HeardMessage = z.lazy(() => z.object({ message: ToldMessage, form: ToolSchema.unwrap().shape.parameters }));
export type HeardMessage = z.infer<typeof HeardMessage>;

/**
 * Whether a message waits. Inside the recording the next recorded step says so; after its end the message table does.
 */
export async function hasMessage(run: Run<ListeningParts>): Promise<boolean> {
  return run.isNext("amend") ?? (await run.parts.messages.next()) !== null;
}

/**
 * Takes the next message, if there is one. The step also commits that the message was heard, so it is heard only once.
 * Without a message there is no step.
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
