import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Message, ModelRequest } from "../../domain/message.ts";
import { readablePart } from "../attachments.ts";
import { sendableArguments } from "../tool-arguments.ts";

/** Translates our request for the AI SDK's provider packages. */
export function sdkOptions(request: ModelRequest): LanguageModelV4CallOptions {
  const { maxOutputTokens, temperature, topP } = request.parameters;
  return {
    prompt: sdkPrompt(request.messages),
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name,
        description,
        inputSchema: parameters,
      })),
    }),
  };
}

/** The results of one turn's calls go into one message, because some providers expect as many results as calls. */
function sdkPrompt(messages: Message[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    const next = sdkMessage(message);
    if (last?.role === "tool" && next.role === "tool") last.content.push(...next.content);
    else prompt.push(next);
  }
  return prompt;
}

function sdkMessage(message: Message): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: message.content.map(readablePart).map(sdkPart) };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.content === "" ? [] : [{ type: "text" as const, text: message.content }]),
          ...message.toolCalls.map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.name,
            input: sendableArguments(call.arguments),
          })),
        ],
      };
    case "tool": {
      const output = { type: "text" as const, value: message.content };
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: message.callId, toolName: message.name, output }],
      };
    }
  }
}

function sdkPart(part: ReturnType<typeof readablePart>) {
  if (part.type === "text") return part;
  const data = { type: "data" as const, data: part.data };
  return { type: "file" as const, filename: part.name, mediaType: part.mediaType, data };
}
