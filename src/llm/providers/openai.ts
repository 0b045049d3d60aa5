import { createOpenAI } from "@ai-sdk/openai";
import type { Access } from "./access.ts";
import { SdkModel } from "./sdk-model.ts";

/** OpenAI's own API, over Responses, because its newer models reason with tools only there. OpenAI stores nothing. */
export function openOpenAi({ model, baseUrl, key }: Access): SdkModel {
  return new SdkModel(
    (fetch) => createOpenAI({ baseURL: baseUrl, apiKey: key ?? "", fetch }).responses(model),
    (options) => ({ ...options, providerOptions: { openai: { store: false, strictJsonSchema: false } } }),
  );
}
