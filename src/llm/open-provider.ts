import { fail } from "../domain/failure.ts";
import type { Provider } from "../domain/settings/settings.ts";
import { AttemptFault } from "./attempt-fault.ts";
import type { ProviderModel } from "./provider-model.ts";
import type { Access } from "./providers/access.ts";

interface Kind {
  baseUrl?: string;
  keyVariable?: string;
  open(access: Access): Promise<ProviderModel>;
}

/** The registry. A new kind of provider needs one file and one entry. Only the kind in use is loaded. */
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

/** The address of a provider and the variable of its key, with defaults filled in. */
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

/** Throws AttemptFault `no-key` if the provider needs a key and its variable is empty. */
export function keyIn(
  variable: string | undefined,
  keys: (variable: string) => string | undefined,
): string | undefined {
  if (variable === undefined) return undefined;
  const key = keys(variable)?.trim();
  if (!key) throw new AttemptFault({ type: "no-key", variable });
  return key;
}

export function openProvider(kind: Provider["kind"], access: Access): Promise<ProviderModel> {
  return kinds[kind].open(access);
}
