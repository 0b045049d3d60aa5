import { join } from "node:path";
import type { NamedIndex, OwnIndex } from "../domain/settings/own-index.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Environment } from "./environment-layer.ts";
import type { Layer } from "./layers.ts";
import { netrcLogins } from "./netrc.ts";
import { readNpmrc } from "./npmrc.ts";
import { readText } from "./read-text.ts";

/**
 * Indexes of packages that the person named for pip, uv, npm and Go: by variables, or in files of their home. What a
 * repository says does not count. Addresses that are no web addresses are left out.
 */
export async function ownIndexes(env: Environment, home: string): Promise<OwnIndex[]> {
  const logins = netrcLogins(textOf(env.NETRC || join(home, ".netrc")));
  const named = [...(await pythonIndexes(env, home)), ...nodeIndexes(env, home), ...goIndexes(env)];
  return named.flatMap((one) => indexOf(one, logins) ?? []);
}

/** The hosts of these indexes as settings: instead of the public ones, or beside them. */
export function indexLayers(indexes: readonly OwnIndex[], shipped: ConfigFile): Layer[] {
  return LANGUAGES.flatMap((language) => {
    const own = indexes.filter((index) => index.language === language);
    const first = own.find(({ serves }) => serves === "all");
    const hosts = own.map(({ url }) => new URL(url).host);
    const named = first ? [new URL(first.url).host] : (shipped.safety?.registries?.[language] ?? []);
    const registries = { [language]: [...new Set([...named, ...hosts])] };
    const name = own.map(({ source }) => source).join(", ");
    return own.length === 0 ? [] : [{ name, value: { safety: { registries } } }];
  });
}

/** What must not be recorded anywhere: the token or the password, and the form in which it is sent. */
export function saidTo({ authorization }: OwnIndex): string[] {
  const [, sent = ""] = authorization?.split(" ") ?? [];
  const password = authorization?.startsWith("Basic ")
    ? Buffer.from(sent, "base64")
        .toString()
        .replace(/^[^:]*:/, "")
    : "";
  return [sent, password].filter((text) => text.length >= SHORTEST_SECRET);
}

const SHORTEST_SECRET = 8;
const LANGUAGES = ["python", "javascript", "go"] as const;

/** pip's own word counts before uv's, and a variable before a file. */
async function pythonIndexes(env: Environment, home: string): Promise<NamedIndex[]> {
  const settings = env.XDG_CONFIG_HOME || join(home, ".config");
  const pip =
    pipSettings(env.PIP_CONFIG_FILE || join(settings, "pip", "pip.conf")) ?? pipSettings(join(home, ".pip/pip.conf"));
  const uv = await uvSettings(env.UV_CONFIG_FILE || join(settings, "uv", "uv.toml"));
  const variable = (name: string) => ({ source: name, urls: words(env[name]) });
  const instead = [
    variable("PIP_INDEX_URL"),
    variable("UV_DEFAULT_INDEX"),
    variable("UV_INDEX_URL"),
    pip?.all,
    uv?.all,
  ];
  const beside = [
    variable("PIP_EXTRA_INDEX_URL"),
    variable("UV_INDEX"),
    variable("UV_EXTRA_INDEX_URL"),
    pip?.more,
    uv?.more,
  ];
  const chosen = (from: typeof instead, serves: OwnIndex["serves"]): NamedIndex[] => {
    const found = from.find((one) => one !== undefined && one.urls.length > 0);
    return (found?.urls ?? []).map((url) => ({ language: "python", url, serves, source: found?.source ?? "" }));
  };
  return [...chosen(instead, "all").slice(0, 1), ...chosen(beside, "more")];
}

/** A file of pip's: `index-url` and `extra-index-url`, the latter over several lines. */
function pipSettings(file: string) {
  const text = textOf(file);
  const value = (name: string) =>
    words(new RegExp(`^\\s*${name}\\s*[=:]((?:.*)(?:\\n[ \\t]+\\S.*)*)`, "m").exec(text)?.[1]);
  if (text === "") return undefined;
  return {
    all: { source: file, urls: value("index-url") },
    more: { source: file, urls: value("extra-index-url") },
  };
}

async function uvSettings(file: string) {
  const text = textOf(file);
  if (text === "") return undefined;
  const { readUvIndexes } = await import("./uv-indexes.ts");
  const { all, more } = readUvIndexes(text);
  return { all: { source: file, urls: all }, more: { source: file, urls: more } };
}

function nodeIndexes(env: Environment, home: string): NamedIndex[] {
  const variable = env.npm_config_registry ?? env.NPM_CONFIG_REGISTRY;
  const file = env.npm_config_userconfig || env.NPM_CONFIG_USERCONFIG || join(home, ".npmrc");
  const text = textOf(file);
  if (!variable && text === "") return [];
  return readNpmrc(variable ? `${text}\nregistry=${variable}\n` : text, env, variable ? "npm_config_registry" : file);
}

/** `GOPROXY` may name several; those that are no web address say how Go goes on without them. */
function goIndexes({ GOPROXY = "" }: Environment): NamedIndex[] {
  const urls = GOPROXY.split(/[,|]/).filter((url) => /^https?:/.test(url));
  return urls.slice(0, 1).map((url) => ({ language: "go", url, serves: "all", source: "GOPROXY" }));
}

/** Null where it is no web address. */
function indexOf(named: NamedIndex, logins: ReturnType<typeof netrcLogins>): OwnIndex | null {
  // A name before the address, as uv writes it.
  const url = URL.parse(named.url.replace(/^[\w-]+=(?=https?:)/, ""));
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.startsWith("[")) return null;
  const said = url.username !== "" || url.password !== "";
  const login = said
    ? { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
    : logins.get(url.hostname);
  const authorization = named.authorization ?? (login ? basic(login) : null);
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`;
  return { ...named, url: `${url.origin}${path}`, authorization };
}

const basic = ({ user, password }: { user: string; password: string }): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

const words = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");

/** A file that cannot be read names nothing. */
function textOf(file: string): string {
  try {
    return readText(file) ?? "";
  } catch {
    return "";
  }
}
