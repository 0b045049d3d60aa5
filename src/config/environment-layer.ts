import { SandboxBackend } from "../domain/settings/settings.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Layer } from "./layers.ts";
import { dollars, duration, httpUrl, oneOf, positiveInteger, readSetting } from "./parse-setting.ts";

export type Environment = Record<string, string | undefined>;

const readers: Record<string, (text: string) => ConfigFile> = {
  MIRACLE_EFFORT: (text) => ({ effort: oneOf("quick", "standard", "thorough")(text) }),
  MIRACLE_SANDBOX: (text) => ({ sandbox: { backend: oneOf(...SandboxBackend.options)(text) } }),
  MIRACLE_MAX_COST: (text) => ({ limits: { maxCost: dollars(text) } }),
  MIRACLE_MAX_TOKENS: (text) => ({ limits: { maxTokens: positiveInteger(text) } }),
  MIRACLE_MAX_ITERATIONS: (text) => ({ limits: { maxIterations: positiveInteger(text) } }),
  MIRACLE_MAX_TURNS: (text) => ({ limits: { maxTurns: positiveInteger(text) } }),
  MIRACLE_PARALLEL: (text) => ({ limits: { parallel: positiveInteger(text) } }),
  MIRACLE_TIMEOUT: (text) => ({ limits: { timeout: duration(text) } }),
  MIRACLE_SILENCE: (text) => ({ limits: { silence: duration(text) } }),
  MIRACLE_SANDBOX_TIMEOUT: (text) => ({ sandbox: { limits: { timeout: duration(text) } } }),
  MIRACLE_RETRIES: (text) => ({ retry: { attempts: positiveInteger(text) } }),
  MIRACLE_LOG_LEVEL: (text) => ({ logging: { level: oneOf("debug", "info", "warn", "error")(text.toLowerCase()) } }),
  MIRACLE_MEMORY: (text) => ({ memory: { enabled: oneOf("on", "off")(text) === "on" } }),
  MIRACLE_NOTIFY: (text) => ({ notify: text }),
  MAX_RETRIES: (text) => ({ queue: { attempts: positiveInteger(text) } }),
  TASK_TIMEOUT: (text) => ({ queue: { taskTimeout: /^\d+$/.test(text) ? `${text}s` : duration(text) } }),
  OPENAI_BASE_URL: (text) => addressLayer("openai", httpUrl(text)),
  ANTHROPIC_BASE_URL: (text) => ({ providers: { anthropic: { baseUrl: withVersion(httpUrl(text)) } } }),
  OLLAMA_HOST: (text) => ({ providers: { ollama: { baseUrl: ollamaAddress(text) } } }),
};

/**
 * Names without our prefix that a person may expect to work. Other programs use them, too, so they steer nothing here:
 * where one is set, and ours is not, it is said which one to use.
 */
const ELSEWHERE: Record<string, string> = {
  MODEL_NAME: "MIRACLE_MODEL",
  SANDBOX_TIMEOUT: "MIRACLE_SANDBOX_TIMEOUT",
  MAX_ITERATIONS: "MIRACLE_MAX_ITERATIONS",
  LOG_LEVEL: "MIRACLE_LOG_LEVEL",
  DB_URL: "MIRACLE_DATABASE_URL",
  DB_PASSWORD: "PGPASSWORD",
};

/** One line for each variable that is set and not read. */
export function unreadVariables(env: Environment): string[] {
  const network = env.DOCKER_NETWORK?.trim();
  return [
    ...Object.entries(ELSEWHERE)
      .filter(([variable, ours]) => env[variable]?.trim() && !env[ours]?.trim())
      .map(([variable, ours]) => `${variable} is not read; if you mean Miracle, set ${ours}`),
    ...(network && network !== "none"
      ? ["DOCKER_NETWORK is not read: the sandbox has no network but for hosts in safety.network"]
      : []),
  ];
}

/** Variables that send a provider's key to another address, with the name of the provider. */
export const ADDRESS_VARIABLES = { OPENAI_BASE_URL: "openai", ANTHROPIC_BASE_URL: "anthropic" };

/** One layer per variable that is set, so that `miracle config` can name it. An empty variable is not set. */
export function environmentLayers(env: Environment, prefix = ""): Layer[] {
  return Object.entries(readers).flatMap(([variable, read]) => {
    const text = env[variable]?.trim();
    return text ? [{ name: `${prefix}${variable}`, value: readSetting(variable, () => read(text)) }] : [];
  });
}

/** OpenAI's variable may point to another server, and those know only the older interface. */
export function addressLayer(provider: string, baseUrl: string): ConfigFile {
  const compatible = provider === "openai" && !new URL(baseUrl).hostname.endsWith("openai.com");
  return { providers: { [provider]: { baseUrl, ...(compatible && { kind: "openai-compatible" }) } } };
}

/** The vendor's own tools expect this address without the version. */
const withVersion = (url: string): string => (new URL(url).pathname === "/" ? `${url}/v1` : url);

/** Ollama's own variable holds host:port. It is the address to listen on, not the address to call. */
function ollamaAddress(text: string): string {
  const url = httpUrl(/^https?:\/\//.test(text) ? text : `http://${text}`);
  const parsed = new URL(url);
  if (parsed.hostname === "0.0.0.0") parsed.hostname = "localhost";
  if (parsed.port === "" && parsed.protocol === "http:") parsed.port = "11434";
  return `${parsed.origin}/v1`;
}
