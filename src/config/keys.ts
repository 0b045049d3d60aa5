import type { Provider } from "../domain/settings/settings.ts";
import type { Environment } from "./environment-layer.ts";

/** Other common names of the same key. */
const ALIASES: Record<string, string[]> = {
  GEMINI_API_KEY: ["GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
};

/** Keys from the environment of the process, or else from a project's .env. They are never exported. */
export class Keys {
  readonly #env: Environment;
  readonly #dotenv: Environment;

  constructor(env: Environment, dotenv: Environment) {
    this.#env = env;
    this.#dotenv = dotenv;
  }

  /** The value of a key variable, or of another name of it. */
  get(variable: string): string | undefined {
    return find(this.#env, variable) ?? find(this.#dotenv, variable);
  }

  /** Where the key comes from. */
  origin(variable: string): "environment" | ".env" | undefined {
    if (find(this.#env, variable) !== undefined) return "environment";
    return find(this.#dotenv, variable) === undefined ? undefined : ".env";
  }

  /** Names of the providers whose key is present, in the order of the config. */
  present(providers: Record<string, Provider>): string[] {
    return Object.entries(providers)
      .filter(([, { keyVariable }]) => keyVariable !== undefined && this.get(keyVariable) !== undefined)
      .map(([name]) => name);
  }
}

function find(variables: Environment, name: string): string | undefined {
  for (const candidate of [name, ...(ALIASES[name] ?? [])]) {
    const value = variables[candidate]?.trim();
    if (value) return value;
  }
  return undefined;
}
