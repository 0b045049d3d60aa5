import type { Message, ModelRequest } from "../../domain/message.ts";
import { readablePart } from "../attachments.ts";
import { sendableArguments } from "../tool-arguments.ts";

/** Our request as the body of an OpenAI chat completion. Ollama, vLLM, llama.cpp and LM Studio understand it, too. */
export function chatBody(model: string, request: ModelRequest): string {
  const { temperature, topP, maxOutputTokens } = request.parameters;
  return JSON.stringify({
    model,
    messages: request.messages.map(chatMessage),
    ...(request.tools.length > 0 && { tools: request.tools.map((tool) => ({ type: "function", function: tool })) }),
    max_tokens: maxOutputTokens,
    temperature,
    top_p: topP,
    stream: true,
    stream_options: { include_usage: true },
  });
}

function chatMessage(message: Message): object {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { role: "user", content: userContent(message.content) };
    case "assistant":
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map((call) => ({
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(sendableArguments(call.arguments)) },
          })),
        }),
      };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
  }
}

type UserParts = (Message & { role: "user" })["content"];

/** A single text is sent as a string, because some small servers accept nothing else. */
function userContent(parts: UserParts): string | object[] {
  const readable = parts.map(readablePart);
  if (readable.every((part) => part.type === "text")) return readable.map((part) => part.text).join("\n\n");
  return readable.map((part) => {
    if (part.type === "text") return part;
    const url = `data:${part.mediaType};base64,${part.data}`;
    if (part.mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
    return { type: "file", file: { filename: part.name, file_data: url } };
  });
}
