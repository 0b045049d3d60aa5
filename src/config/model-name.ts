import { MODEL_NAME } from "../domain/settings/model-name.ts";
import { didYouMean } from "./did-you-mean.ts";
import { type ParseSetting, SettingError } from "./parse-setting.ts";

/** The provider that stands for any OpenAI-compatible server whose address a person gives. */
export const LOCAL = "local";

/**
 * Accepts `provider/name`, or a provider alone for its default model. With `--base-url` the provider may be omitted.
 * The whole text is then the name on that server, slashes included.
 */
export function modelName(providers: string[], hasBaseUrl: boolean): ParseSetting<string> {
  return (text) => {
    const provider = text.slice(0, Math.max(0, text.indexOf("/")));
    if (providers.includes(provider) && text.length > provider.length + 1) return text;
    if (providers.includes(text)) return text;
    if (hasBaseUrl && /^\S+$/.test(text)) return `${LOCAL}/${text}`;
    if (!MODEL_NAME.test(text)) {
      throw new SettingError(`expected provider/name (providers: ${providers.join(", ")}), got "${text.slice(0, 80)}"`);
    }
    const hint = didYouMean(provider, providers);
    throw new SettingError(`unknown provider "${provider}"${hint}; known are ${providers.join(", ")}`);
  };
}

/** The provider that `--base-url` belongs to: the one of the model in use. */
export const providerOf = (model: string): string => model.split("/", 1)[0] ?? LOCAL;
