import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { TerminalFailure } from "../domain/failure.ts";
import type { Hook } from "../domain/settings/safety-settings.ts";
import type { ConfigFile } from "./config-file.ts";
import { filesIn, projectDirectory, userDirectory } from "./config-places.ts";
import { ADDRESS_VARIABLES, addressLayer, type Environment, environmentLayers } from "./environment-layer.ts";
import { type ConfigFlags, flagLayers } from "./flags.ts";
import { Keys } from "./keys.ts";
import { type Layer, mergeLayers } from "./layers.ts";
import { LOCAL, modelName, providerOf } from "./model-name.ts";
import { indexLayers, ownIndexes, saidTo } from "./own-indexes.ts";
import { httpUrl, readSetting } from "./parse-setting.ts";
import { isTrusted, restrictProject } from "./project-trust.ts";
import { readText } from "./read-text.ts";
import { redactions } from "./redactions.ts";
import { shippedLayers } from "./shipped.ts";
import { readTestVariables } from "./test-needs.ts";
import {
  type BaseSettings,
  type ModelWishes,
  type ServerSettings,
  type TeamSettings,
  toHooks,
  toModelWishes,
  toServer,
  toSettings,
  toTeam,
} from "./to-settings.ts";

export interface ConfigInput {
  /** The user's directory, absolute. */
  directory: string;
  env: Environment;
  home: string;
  /** The directory of our own package.json. */
  root: string;
  flags?: ConfigFlags;
  /** For commands that only look: a file that does not hold is left out with a warning, and stops nobody. */
  lenient?: boolean;
}

type LogLevel = NonNullable<NonNullable<ConfigFile["logging"]>["level"]>;

export interface Configuration {
  settings: BaseSettings;
  wishes: ModelWishes;
  notify: string | null;
  hooks: Hook[];
  server: ServerSettings;
  team: TeamSettings;
  /** Ages after which `prune --policy` deletes; null: never. */
  retention: { tasks: string | null; audit: string | null };
  /** The person's own: how much is logged. */
  logLevel: LogLevel;
  keys: Keys;
  /** Values that must not be recorded anywhere. */
  secrets: string[];
  /** One line each, for a person. */
  warnings: string[];
  /**
   * Directories that may override prompts; the first match counts. The project's directory if it is trusted, then the
   * user's.
   */
  promptOverrides: string[];
  /** All layers, lowest first. `miracle config` shows where a value comes from. */
  layers: Layer[];
}

/**
 * Collects settings from all sources: shipped files, the user's package managers, the user's files, the project's, the
 * environment, flags. The last one
 * wins. This runs before the first model request, so the YAML parser is loaded only if a person has their own file.
 */
export async function loadConfig(input: ConfigInput): Promise<Configuration> {
  const { directory, env, home, root, flags = {} } = input;
  const warnings: string[] = [];
  const indexes = await ownIndexes(env, home);
  const leftOut = input.lenient ? (reason: string) => warnings.push(`${reason}; the file is left out here`) : null;
  const shipped = await shippedLayers(root);
  if (indexes.length > 0) shipped.push(...indexLayers(indexes, mergeLayers(shipped)));
  const userPlace = userDirectory(env, home);
  const user = await fileLayers(userPlace, leftOut);
  const own = mergeLayers([...shipped, ...user]);
  const projectPlace = projectDirectory(directory);
  const trusted = isTrusted(projectPlace === undefined ? directory : dirname(projectPlace), own, home);
  const project = await projectLayers(projectPlace, own, trusted, warnings, leftOut);
  const dotenv = readDotenv(directory);
  const keys = new Keys(env, dotenv);
  const accepted = addressesOf(dotenv, env, keys, own, trusted, warnings);

  const layers = [
    ...shipped,
    ...user,
    ...project,
    ...environmentLayers(accepted, ".env: "),
    ...environmentLayers(env),
    ...flagLayers(flags),
  ];
  layers.push(...modelLayers(mergeLayers(layers), env, flags));
  const config = mergeLayers(layers);
  const settings = toSettings(config, keys);
  const keyVariables = Object.values(settings.providers).flatMap(({ keyVariable }) => keyVariable ?? []);
  return {
    settings,
    wishes: toModelWishes(config),
    notify: config.notify ?? null,
    hooks: toHooks(config, home),
    server: toServer(own, home, env),
    retention: { tasks: own.retention?.tasks ?? null, audit: own.retention?.audit ?? null },
    team: toTeam(mergeLayers([{ name: "own", value: own }, ...environmentLayers(env)])),
    logLevel: config.logging?.level ?? "info",
    keys,
    secrets: [
      ...new Set([
        ...[dotenv, readTestVariables(directory)].flatMap((file) =>
          redactions(env, file, [...keyVariables, ...settings.redactVariables]),
        ),
        ...indexes.flatMap(saidTo),
      ]),
    ],
    warnings,
    promptOverrides: [...(trusted && projectPlace ? [projectPlace] : []), userPlace],
    layers,
  };
}

/** Told why a file is left out; null where that is an error. */
type LeftOut = ((reason: string) => void) | null;

async function fileLayers(directory: string, leftOut: LeftOut): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const file of filesIn(directory)) {
    const text = readText(file);
    if (text === undefined) continue;
    const { parseYaml } = await import("./parse-yaml.ts");
    const parsed = orLeftOut(() => parseYaml(text, file), leftOut);
    if (parsed === null) continue;
    const { value, lineOf } = parsed;
    layers.push({
      name: file,
      value,
      locate: (path) => {
        const line = lineOf(path);
        return line === undefined ? undefined : `${file}:${line}`;
      },
    });
  }
  return layers;
}

function orLeftOut<T>(read: () => T, leftOut: LeftOut): T | null {
  try {
    return read();
  } catch (error) {
    if (leftOut === null || !(error instanceof TerminalFailure)) throw error;
    leftOut(error.failure.message);
    return null;
  }
}

async function projectLayers(
  place: string | undefined,
  own: ConfigFile,
  trusted: boolean,
  warnings: string[],
  leftOut: LeftOut,
): Promise<Layer[]> {
  if (place === undefined) return [];
  const layers = await fileLayers(place, leftOut);
  if (trusted) return layers;
  return layers.map((layer) => {
    const { value, ignored } = restrictProject(layer.value, own);
    for (const key of ignored) {
      warnings.push(
        `${layer.locate?.(key.split(".")) ?? layer.name}: ${key} is ignored, a project may not widen your own settings` +
          ` (to allow it, list ${dirname(place)} under trustedDirectories in your config)`,
      );
    }
    return { ...layer, value };
  });
}

function readDotenv(directory: string): Environment {
  const text = readText(join(directory, ".env"));
  return text === undefined ? {} : parseEnv(text);
}

/**
 * Addresses from a project's .env. An address from a repository must not receive the key of the user's own environment.
 * It counts only together with a key from the same file, or in a trusted directory.
 */
function addressesOf(
  dotenv: Environment,
  env: Environment,
  keys: Keys,
  own: ConfigFile,
  trusted: boolean,
  warnings: string[],
): Environment {
  const accepted: Environment = {};
  for (const [variable, provider] of Object.entries(ADDRESS_VARIABLES)) {
    if (!dotenv[variable] || env[variable]) continue;
    const keyVariable = own.providers?.[provider]?.keyVariable;
    if (trusted || (keyVariable !== undefined && keys.origin(keyVariable) === ".env")) {
      accepted[variable] = dotenv[variable];
    } else {
      warnings.push(`.env: ${variable} is ignored, it would send your own key elsewhere; set it in your environment`);
    }
  }
  return accepted;
}

/**
 * `--model` and `--base-url` with their variables. The address may imply the provider, and the model says whose address
 * it is.
 */
function modelLayers(config: ConfigFile, env: Environment, flags: ConfigFlags): Layer[] {
  const layers: Layer[] = [];
  const url = asked("--base-url", flags.baseUrl, "MIRACLE_BASE_URL", env);
  const model = asked("--model", flags.model, "MIRACLE_MODEL", env);
  // A person's own server often has a single model, under any name.
  let name = config.model ?? (url ? `${LOCAL}/default` : null);
  if (model) {
    const usual = Object.entries(config.providers ?? {}).map(([name, own]) => `${name}/${own?.defaultModel ?? ""}`);
    const known = [...Object.keys(config.prices ?? {}), ...usual];
    const parse = modelName(Object.keys(config.providers ?? {}), url !== undefined, known);
    name = readSetting(model.source, () => parse(model.text));
    layers.push({ name: model.source, value: { model: name, ...forEveryRole(config, name) } });
  }
  if (url) {
    const baseUrl = readSetting(url.source, () => httpUrl(url.text));
    layers.push({ name: url.source, value: { model: name, ...addressLayer(providerOf(name ?? LOCAL), baseUrl) } });
  }
  return layers;
}

/** A model given for this run overrules the models of the roles. */
function forEveryRole(config: ConfigFile, name: string): ConfigFile {
  const own = Object.entries(config.roles ?? {}).filter(([, role]) => role?.models);
  return own.length === 0 ? {} : { roles: Object.fromEntries(own.map(([role]) => [role, { models: [name] }])) };
}

interface Asked {
  source: string;
  text: string;
}

function asked(flag: string, value: string | undefined, variable: string, env: Environment): Asked | undefined {
  if (value !== undefined) return { source: flag, text: value };
  const text = env[variable]?.trim();
  return text ? { source: variable, text } : undefined;
}
