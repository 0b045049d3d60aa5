import { fail } from "../domain/failure.ts";
import type { Provider } from "../domain/settings/settings.ts";
import { AttemptFault } from "./attempt-fault.ts";
import type { Candidate } from "./model-candidate.ts";
import type { ProviderModel } from "./provider-model.ts";
import type { Access } from "./providers/access.ts";

interface Kind {
  baseUrl?: string;
  keyVariable?: string;
  open(access: Access): Promise<ProviderModel>;
}

/** The registry: a new kind of provider is one file and one entry. Only the kind in use is ever loaded. */
const kinds: Record<Provider["kind"], Kind> = {
  "openai-compatible": {
    open: async (access) => new (await import("./providers/openai-compatible.ts")).OpenAiCompatible(access),
  },
  openai: {
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    open: async (access) => (await import("./providers/openai.ts")).openOpenAi(access),
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    open: async (access) => (await import("./providers/anthropic.ts")).openAnthropic(access),
  },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    open: async (access) => (await import("./providers/google.ts")).openGoogle(access),
  },
};

/** Where a provider is reached and which variable holds its key, defaults filled in. */
export function resolveProvider(
  name: string,
  provider: Provider,
): { baseUrl: string; keyVariable: string | undefined } {
  const kind = kinds[provider.kind];
  const baseUrl = provider.baseUrl ?? kind.baseUrl;
  if (baseUrl === undefined) {
    throw fail("invalid-input", "model.no-address", `provider ${name} has no baseUrl: set the address of its server`);
  }
  return { baseUrl, keyVariable: provider.keyVariable ?? kind.keyVariable };
}

/** Throws AttemptFault `no-key` when the provider wants a key and its variable is empty. */
export function keyFor(candidate: Candidate, keys: (variable: string) => string | undefined): string | undefined {
  const { keyVariable } = resolveProvider(candidate.providerName, candidate.provider);
  if (keyVariable === undefined) return undefined;
  const key = keys(keyVariable)?.trim();
  if (!key) throw new AttemptFault({ type: "no-key", variable: keyVariable });
  return key;
}

export function openProvider(candidate: Candidate, key: string | undefined): Promise<ProviderModel> {
  const { providerName, modelName, provider, price } = candidate;
  const { baseUrl } = resolveProvider(providerName, provider);
  // Writing to a cache is left alone where its price is not known: it could not be reserved.
  const cacheWrites = price === undefined || price.cacheWrite !== undefined;
  return kinds[provider.kind].open({ provider: providerName, model: modelName, baseUrl, key, cacheWrites });
}
