import type { Message } from "../../domain/message.ts";
import type { Conversation, RecordedWork } from "./recorded-work.ts";

export type TrainingFormat = "sft" | "dpo";

/** A message in the form of fine-tuning interfaces. */
type ChatMessage =
  | { role: "system" | "user"; content: string }
  | {
      role: "assistant";
      content: string;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };

interface Metadata {
  task: string;
  todo: string;
  iteration: number;
  language: string;
  status: string;
  licence: string;
}

/** A whole conversation that ended green. */
export interface SftExample {
  messages: ChatMessage[];
  tools: { type: "function"; function: { name: string; description: string; parameters: unknown } }[];
  metadata: Metadata & { model: string };
}

/** The same request with two answers: the change that turned the tests green, and one that did not. */
export interface DpoExample {
  prompt: ChatMessage[];
  chosen: ChatMessage[];
  rejected: ChatMessage[];
  metadata: Metadata & { red: string[] };
}

export function sftExample(work: RecordedWork, { request, answer }: Conversation, metadata: Metadata): SftExample {
  const said: Message = { role: "assistant", content: answer.text, toolCalls: answer.toolCalls };
  return {
    messages: [...request.messages, said].map((message) => toChat(message, work.recalled)),
    tools: request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
    metadata: { ...metadata, model: answer.model },
  };
}

/** Both answers reply to the opening request: what counts is the change, not how it was made. */
export function dpoExample(
  work: RecordedWork,
  opening: readonly Message[],
  changes: { green: string; red: string },
  metadata: Metadata & { red: string[] },
): DpoExample {
  const asked = opening.filter(({ role }) => role === "user").map((message) => toChat(message, work.recalled));
  return {
    prompt: [{ role: "system", content: ANSWER_WITH_DIFF }, ...asked],
    chosen: [{ role: "assistant", content: changes.green }],
    rejected: [{ role: "assistant", content: changes.red }],
    metadata,
  };
}

const ANSWER_WITH_DIFF =
  "You are a careful programmer. Make the change you are asked for, and only that. Answer with the whole change as one unified diff.";

/** Leaves out what memory told: it comes from other work, perhaps from another project. */
function toChat(message: Message, recalled: readonly string[]): ChatMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user": {
      const text = message.content
        .map((part) => (part.type === "text" ? part.text : `[attachment ${part.name}]`))
        .join("\n");
      return { role: "user", content: recalled.reduce((rest, told) => rest.replaceAll(told, ""), text) };
    }
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
            id,
            type: "function" as const,
            function: { name, arguments: given },
          })),
        }),
      };
  }
}
