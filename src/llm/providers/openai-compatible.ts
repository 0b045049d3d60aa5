import type { ModelRequest } from "../../domain/message.ts";
import type { Attempt, ProviderModel, RawAnswer } from "../provider-model.ts";
import { eventData } from "../server-sent-events.ts";
import type { Access } from "./access.ts";
import { chatBody } from "./chat-body.ts";
import { ChatReply } from "./chat-reply.ts";

/**
 * Any server with OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio, gateways. It is our own code instead
 * of a package, because the way to the first request must be short (decision 0003).
 */
export class OpenAiCompatible implements ProviderModel {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  async answer(request: ModelRequest, attempt: Attempt): Promise<RawAnswer> {
    const { baseUrl, key, model } = this.#access;
    const reply = await attempt.post({
      url: `${baseUrl.replace(/\/+$/, "")}/chat/completions`,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream, application/json",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: chatBody(model, request),
    });
    const answer = new ChatReply(attempt.onDelta);
    // A server that cannot stream answers in one piece.
    if (reply.headers["content-type"]?.includes("json")) answer.add(await textOf(reply.body));
    else for await (const data of eventData(reply.body)) if (data !== "[DONE]") answer.add(data);
    return answer.answer(`call-${request.messages.length}`);
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
