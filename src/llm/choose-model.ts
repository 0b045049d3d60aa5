import { fail } from "../domain/failure.ts";
import type { Provider } from "../domain/settings/settings.ts";
import { resolveProvider } from "./open-provider.ts";

export interface ModelChoice {
  /** In the order of preference. */
  providers: Record<string, Provider>;
  hasKey: (variable: string) => boolean;
  /** `--model`: `provider/name`, or a provider alone for its default model. */
  wanted?: string | undefined;
}

/** Chooses the model, as `provider/name`: the wanted one, or the default of the first provider with a key. */
export function chooseModel(choice: ModelChoice): string {
  return choice.wanted === undefined ? chooseByKey(choice) : chooseWanted(choice.wanted, choice);
}

function chooseWanted(wanted: string, choice: ModelChoice): string {
  const [name = "", ...rest] = wanted.split("/");
  const provider = Object.hasOwn(choice.providers, name) ? choice.providers[name] : undefined;
  if (!provider) {
    const known = Object.keys(choice.providers).join(", ");
    const message = `--model ${wanted}: write it as provider/name; known providers are ${known}`;
    throw fail("invalid-input", "model.no-provider", message);
  }
  const model = rest.join("/") || provider.defaultModel;
  if (!model) throw fail("invalid-input", "model.unknown", `--model ${wanted}: name the model too, as in ${name}/NAME`);
  const { keyVariable } = resolveProvider(name, provider);
  if (keyVariable !== undefined && !choice.hasKey(keyVariable)) {
    throw fail("environment", "model.no-key", `--model ${wanted} needs a key: set ${keyVariable}`);
  }
  return `${name}/${model}`;
}

function chooseByKey({ providers, hasKey }: ModelChoice): string {
  for (const [name, provider] of Object.entries(providers)) {
    const variable = keyVariableOf(name, provider);
    if (variable !== undefined && provider.defaultModel && hasKey(variable)) return `${name}/${provider.defaultModel}`;
  }
  throw noKey(providers);
}

function noKey(providers: Record<string, Provider>) {
  const entries = Object.entries(providers);
  const variables = [...new Set(entries.flatMap(([name, provider]) => keyVariableOf(name, provider) ?? []))];
  const local = entries.find(([name, provider]) => keyVariableOf(name, provider) === undefined)?.[0];
  const server = local === undefined ? "" : `, or run a local server and pass --model ${local}/NAME`;
  return fail("environment", "model.no-key", `no model can be reached: set ${oneOf(variables)}${server}`);
}

/** A server without an address cannot be chosen. That is an error only when it is chosen. */
function keyVariableOf(name: string, provider: Provider): string | undefined {
  if (provider.kind === "openai-compatible" && provider.baseUrl === undefined) return provider.keyVariable;
  return resolveProvider(name, provider).keyVariable;
}

function oneOf(names: string[]): string {
  return names.length < 2 ? (names[0] ?? "a key") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
