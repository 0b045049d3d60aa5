import type { Message, ModelAnswer, ModelRequest, ToolCall, ToolSchema } from "../domain/message.ts";
import type { RawAnswer } from "./provider-model.ts";

/**
 * Tools for models that cannot call them. They are described in words, called in fenced blocks, and answered as
 * messages of the user. Both directions are in this file, so that they stay consistent.
 */
export function toolsAsText(request: ModelRequest): ModelRequest {
  const messages = mergeUsers(request.messages.map(messageAsText));
  if (request.tools.length === 0) return { ...request, messages };
  return withInstruction({ ...request, messages, tools: [] }, instruction(request.tools));
}

/**
 * Reads the calls in a text, in order. Their ids come from the length of the conversation, so they never repeat in it.
 */
export function readTextCalls(
  answer: RawAnswer,
  { tools, messages }: Pick<ModelRequest, "tools" | "messages">,
): RawAnswer {
  if (tools.length === 0) return answer;
  const toolCalls: ToolCall[] = [];
  const text = answer.text.replace(BLOCK, (_, fenced: string | undefined, tagged: string | undefined) => {
    toolCalls.push({
      id: `call-${messages.length}-${toolCalls.length}`,
      ...readBlock((fenced ?? tagged ?? "").trim()),
    });
    return "";
  });
  if (toolCalls.length === 0) return answer;
  const finish: ModelAnswer["finish"] = answer.finish === "length" ? "length" : "tool-calls";
  return { ...answer, text: text.trim(), toolCalls, finish };
}

/**
 * A block ends at a line of three backticks, or at the end of the text. Some models write the tags of their training
 * instead.
 */
const BLOCK =
  /^[ \t]*```tool(?:_call)?[ \t]*\n([\s\S]*?)(?:\n[ \t]*```[ \t]*$|(?![\s\S]))|<tool_call>([\s\S]*?)(?:<\/tool_call>|(?![\s\S]))/gm;

const readBlock = (block: string): Pick<ToolCall, "name" | "arguments"> => {
  try {
    const value: unknown = JSON.parse(block);
    if (typeof value === "object" && value !== null && "name" in value && typeof value.name === "string") {
      const written = "arguments" in value ? value.arguments : {};
      return { name: value.name, arguments: typeof written === "string" ? written : JSON.stringify(written) };
    }
  } catch {
    // Broken JSON: name and rest are guessed by their form, so that the tool layer can say what is wrong.
  }
  const name = /"name"\s*:\s*"([^"\n]*)"/.exec(block)?.[1] ?? "";
  const rest = /"arguments"\s*:\s*([\s\S]*?)\}?\s*$/.exec(block)?.[1];
  return { name, arguments: rest ?? block };
};

function instruction(tools: ToolSchema[]): string {
  const list = tools.map(
    ({ name, description, parameters }) => `- ${name}: ${description}\n  ${JSON.stringify(parameters)}`,
  );
  return [
    "You can use tools. To call one, write a block of exactly this form, the JSON on one line:",
    '```tool\n{"name": "NAME", "arguments": {…}}\n```',
    "Several blocks are several calls. Stop after the last block: the results come in the next message.",
    `Tools, each with the JSON Schema of its arguments:\n${list.join("\n")}`,
  ].join("\n");
}

/** Adds one more instruction behind the system prompt of the request. */
function withInstruction(request: ModelRequest, text: string): ModelRequest {
  const place = request.messages.findLastIndex((message) => message.role === "system");
  const system = request.messages[place];
  if (system?.role !== "system") {
    return { ...request, messages: [{ role: "system", content: text }, ...request.messages] };
  }
  const messages = request.messages.with(place, { role: "system", content: `${system.content}\n\n${text}` });
  return { ...request, messages };
}

function messageAsText(message: Message): Message {
  if (message.role === "tool") {
    return { role: "user", content: [{ type: "text", text: `Result of ${message.name}:\n${message.content}` }] };
  }
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message;
  const blocks = message.toolCalls.map(
    (call) => `\`\`\`tool\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n\`\`\``,
  );
  return {
    role: "assistant",
    content: [message.content, ...blocks].filter((text) => text !== "").join("\n"),
    toolCalls: [],
  };
}

/** Many chat templates refuse two messages of the user in a row. */
function mergeUsers(messages: Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") {
      merged[merged.length - 1] = { role: "user", content: [...last.content, ...message.content] };
    } else merged.push(message);
  }
  return merged;
}
