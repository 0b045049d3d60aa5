import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { Access } from "./access.ts";
import { SdkModel } from "./sdk-model.ts";

/** Gemini, over the Generative Language API. */
export function openGoogle({ model, baseUrl, key }: Access): SdkModel {
  return new SdkModel((fetch) => createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: key ?? "", fetch })(model));
}
