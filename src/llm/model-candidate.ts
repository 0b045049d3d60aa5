import { fail } from "../domain/failure.ts";
import type { Price, Provider, Settings } from "../domain/settings/settings.ts";
import type { FaultPlace } from "./classify-fault.ts";
import { resolveProvider } from "./open-provider.ts";
import { priceOf } from "./prices.ts";

/** One model of a role's sequence with all that is known about it before it is opened. */
export interface ModelCandidate {
  /** `provider/name`. */
  name: string;
  providerName: string;
  modelName: string;
  provider: Provider;
  baseUrl: string;
  /** The variable that holds the key; undefined if no key is needed. */
  keyVariable: string | undefined;
  price: Price | undefined;
  /** What those who share it call it: its name, and its host. */
  shared: string;
  place(now: number): FaultPlace;
}

export function candidateOf(name: string, settings: Pick<Settings, "providers" | "prices">): ModelCandidate {
  const slash = name.indexOf("/");
  const providerName = name.slice(0, slash);
  const modelName = name.slice(slash + 1);
  const provider = Object.hasOwn(settings.providers, providerName) ? settings.providers[providerName] : undefined;
  if (slash < 1 || !provider) {
    const known = Object.keys(settings.providers).join(", ");
    throw fail("invalid-input", "model.no-provider", `model "${name}" names no known provider; known are: ${known}`);
  }
  const { baseUrl, keyVariable } = resolveProvider(providerName, provider);
  return {
    name,
    providerName,
    modelName,
    provider,
    baseUrl,
    keyVariable,
    price: priceOf(name, settings.prices),
    shared: `${providerName} (${new URL(baseUrl).host})`,
    place: (now) => ({ provider: providerName, model: modelName, url: baseUrl, keyVariable, now }),
  };
}
