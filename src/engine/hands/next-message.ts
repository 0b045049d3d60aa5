import { z } from "zod";
import { AmendmentResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { ToolSchema } from "../../domain/message.ts";
import { ToldMessage } from "../../domain/plan/amendment.ts";
import type { Strand } from "../../journal/strand.ts";
import type { EngineParts } from "./parts.ts";

/** The port to what people say to a task that is under way. */
export interface Messages {
  /** The oldest that was not heard. Read inside effects, and where nothing is recorded any more. */
  next(): Promise<ToldMessage | null>;
}

/** A message with the form of the planner's answer to it, as it was when it was heard. */
const Heard = z.lazy(() => z.object({ message: ToldMessage, form: ToolSchema.unwrap().shape.parameters }));
export type Heard = z.infer<typeof Heard>;

/** Whether there is something to hear: in what was recorded the next step says so, after it the messages that wait. */
export async function isTold(strand: Strand, { messages }: Pick<EngineParts, "messages">): Promise<boolean> {
  return strand.isNext("amend") ?? (await messages.next()) !== null;
}

/**
 * Hears the next message. That it was heard is committed with the step, so it is heard once; where nobody says anything
 * there is no step, so that recordings from before anybody could say something are replayed as they are.
 */
export async function hear(strand: Strand, parts: Pick<EngineParts, "messages">): Promise<Heard | null> {
  if (!(await isTold(strand, parts))) return null;
  return strand.step({ kind: "decision", name: "amend", input: null, output: Heard }, async ({ emit }) => {
    const message = await parts.messages.next();
    if (!message) throw new Error("a message that waited is gone");
    emit({ type: "message-heard", message });
    return { message, form: parametersOf(AmendmentResult) };
  });
}
