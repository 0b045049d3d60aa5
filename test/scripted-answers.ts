import { z } from "zod";
import type { Script, ScriptedFault, ServedRequest } from "./model-server.ts";

const Answer = z.strictObject({
  text: z.string().optional(),
  toolCalls: z
    .array(z.strictObject({ name: z.string(), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]) }))
    .optional(),
  usage: z.object({ input: z.int(), output: z.int(), cached: z.int().optional() }).nullable().optional(),
  finish: z.enum(["stop", "length"]).optional(),
});
const Fault = z.discriminatedUnion("fault", [
  z.strictObject({
    fault: z.literal("status"),
    status: z.int(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  }),
  z.strictObject({ fault: z.literal("hang-mid-stream"), text: z.string().optional() }),
  z.strictObject({ fault: z.enum(["hang", "malformed", "cut", "reset", "reset-mid-stream"]) }),
]);

/** Answers for the conversations that hold all of `when`, in their system prompt or in any message. */
const Conversation = z.strictObject({
  when: z.union([z.string().transform((text) => [text]), z.array(z.string())]).default([]),
  answers: z.array(z.union([Fault, Answer])),
});

/** A list of answers for one conversation, or several conversations; the first that fits is used. */
export const ScriptFile = z.union([
  z.array(z.union([Fault, Answer])).transform((answers) => [{ when: [] as string[], answers }]),
  z.array(Conversation),
]);
export type ScriptFile = z.input<typeof ScriptFile>;

/**
 * A script in which the answer is a function of the request alone: the conversation is found by its words, the answer by
 * the number of turns the assistant has had in it. A client that is killed and comes back gets the same answers again.
 */
export function answersByRequest(file: ScriptFile): Script {
  const conversations = ScriptFile.parse(file);
  return (request) => {
    const text = textOf(request);
    const conversation = conversations.find(({ when }) => when.every((words) => text.includes(words)));
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    const answer = conversation?.answers[turn];
    if (!answer) return refuse(`the script has no answer for turn ${turn} of: ${request.system.slice(0, 80)}`);
    return answer;
  };
}

function textOf(request: ServedRequest): string {
  return [request.system, ...request.messages.map((message) => message.text)].join("\n");
}

const refuse = (message: string): ScriptedFault => ({ fault: "status", status: 400, body: { error: { message } } });
