import { MODEL_NAME } from "../domain/settings/model-name.ts";
import { didYouMean } from "./did-you-mean.ts";
import { type ParseSetting, SettingError } from "./parse-setting.ts";

/** The provider that stands for any OpenAI-compatible server whose address a person gives. */
export const LOCAL = "local";

/**
 * Accepts `provider/name`, a provider alone for its default model, or a name that only one provider has. With `--base-url`
 * the provider may be omitted. The whole text is then the name on that server, slashes included. `known`: names with their
 * providers; one that ends in * stands for all that begin so.
 */
export function modelName(providers: string[], hasBaseUrl: boolean, known: string[] = []): ParseSetting<string> {
  return (text) => {
    const provider = text.slice(0, Math.max(0, text.indexOf("/")));
    if (providers.includes(provider) && text.length > provider.length + 1) return text;
    if (providers.includes(text)) return text;
    if (hasBaseUrl && /^\S+$/.test(text)) return `${LOCAL}/${text}`;
    const owners = ownersOf(text, known);
    if (owners.length === 1) return `${owners[0]}/${text}`;
    if (owners.length > 1) {
      throw new SettingError(
        `several providers have ${text}: ${owners.map((owner) => `${owner}/${text}`).join(" or ")}`,
      );
    }
    if (!MODEL_NAME.test(text)) {
      const wanted = `write it as provider/name (providers: ${providers.join(", ")})`;
      throw new SettingError(`no provider is known to have a model "${text.slice(0, 80)}"; ${wanted}`);
    }
    const hint = didYouMean(provider, providers);
    throw new SettingError(`unknown provider "${provider}"${hint}; known are ${providers.join(", ")}`);
  };
}

function ownersOf(text: string, known: string[]): string[] {
  const owners = known.flatMap((name) => {
    const [owner = "", ...rest] = name.split("/");
    const pattern = rest.join("/");
    const isIt = pattern.endsWith("*") && pattern.length > 1 ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
    return isIt ? [owner] : [];
  });
  return [...new Set(owners)];
}

/** The provider that `--base-url` belongs to: the one of the model in use. */
export const providerOf = (model: string): string => model.split("/", 1)[0] ?? LOCAL;
