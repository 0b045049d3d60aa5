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
 * Claude caches only up to marks. One mark is behind the instructions and tools, one behind the last message. So a
 * growing conversation is read from the cache at a tenth of the price.
 */
function markForCache(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const lastSystem = options.prompt.findLastIndex((message) => message.role === "system");
  const last = options.prompt.length - 1;
  const mark = (message: LanguageModelV4Message): LanguageModelV4Message => ({
    ...message,
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  });
  return {
    ...options,
    prompt: options.prompt.map((message, index) => (index === lastSystem || index === last ? mark(message) : message)),
  };
}
