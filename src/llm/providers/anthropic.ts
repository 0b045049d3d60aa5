import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { Access } from "./access.ts";
import { SdkModel } from "./sdk-model.ts";

/** Claude, over the Messages API. */
export function openAnthropic({ model, baseUrl, key, cacheWrites }: Access): SdkModel {
  return new SdkModel(
    (fetch) => createAnthropic({ baseURL: baseUrl, apiKey: key ?? "", fetch })(model),
    cacheWrites ? markForCache : undefined,
  );
}

/**
 * Claude caches only up to marks. One mark is behind the instructions and tools, one behind the lasting part of the
 * briefing, where it has several parts, and one behind the last message. So a growing conversation is read from the
 * cache at a tenth of the price, and the next attempt reads what it shares with the last one.
 */
function markForCache(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const lastSystem = options.prompt.findLastIndex((message) => message.role === "system");
  const last = options.prompt.length - 1;
  const mark = (message: LanguageModelV4Message): LanguageModelV4Message => ({
    ...message,
    providerOptions: CACHED,
  });
  return {
    ...options,
    prompt: options.prompt.map((message, index) => {
      const marked = index === lastSystem || index === last ? mark(message) : message;
      return index === lastSystem + 1 ? withMarkedStart(marked) : marked;
    }),
  };
}

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" } } };

function withMarkedStart(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "user" || message.content.length < 2) return message;
  const [first, ...others] = message.content;
  return first ? { ...message, content: [{ ...first, providerOptions: CACHED }, ...others] } : message;
}
