import type { ModelRequest } from "../domain/message.ts";

/** The request with one more instruction behind its system prompt. */
export function withInstruction(request: ModelRequest, text: string): ModelRequest {
  const place = request.messages.findLastIndex((message) => message.role === "system");
  const system = request.messages[place];
  if (system?.role !== "system") {
    return { ...request, messages: [{ role: "system", content: text }, ...request.messages] };
  }
  const messages = request.messages.with(place, { role: "system", content: `${system.content}\n\n${text}` });
  return { ...request, messages };
}
