import type { OwnIndex } from "../../domain/settings/own-index.ts";
import type { Authority } from "../hosts/host-name.ts";
import { parseHostRule } from "../hosts/host-rule.ts";

/** Hosts of the registries that an install may use, by language. The first host of each names packages. */
export type Registries = Partial<Record<string, string[]>>;

/** A host of packages, and the port for requests. */
export interface Registry {
  host: string;
  /** Where the package manager asks us. */
  plainPort: number;
  /** Where we ask the registry. */
  securePort: number;
  /** What the person's own settings say of it; empty for a public one. */
  own: OwnIndex[];
}

export function registryOf(text: string, indexes: readonly OwnIndex[] = []): Registry {
  const { host, port } = parseHostRule(text);
  const own = indexes.filter(({ url }) => new URL(url).host === text);
  return { host, plainPort: port ?? 80, securePort: port ?? (own.some(isPlain) ? 80 : 443), own };
}

/** The person's own word: this one is asked without encryption. */
export const isPlain = ({ url }: OwnIndex): boolean => url.startsWith("http:");

export const findRegistry = (registries: Registry[], { host, port }: Authority): Registry | undefined =>
  registries.find((registry) => registry.host === host && registry.plainPort === port);

export const trueAddress = ({ host, securePort, own }: Registry): string =>
  own.some(isPlain) ? `http://${withPort(host, securePort, 80)}` : `https://${withPort(host, securePort, 443)}`;

const plainAddress = ({ host, plainPort }: Registry): string => `http://${withPort(host, plainPort, 80)}`;

const withPort = (host: string, port: number, usual: number): string => (port === usual ? host : `${host}:${port}`);

/**
 * Settings that make package managers ask the registry without encryption. Our proxy answers these requests itself,
 * from its cache or over its own encrypted connection. Nothing leaves the machine unencrypted, unless the person's own
 * settings say so of an index.
 */
export function registryEnvironment(
  { python = [], javascript = [], go = [] }: Registries,
  indexes: readonly OwnIndex[] = [],
): Record<string, string> {
  const address = ({ url }: OwnIndex) =>
    `${plainAddress(registryOf(new URL(url).host, indexes))}${new URL(url).pathname}`;
  const own = (hosts: string[], language: OwnIndex["language"]) =>
    indexes.filter((index) => index.language === language && hosts.includes(new URL(index.url).host));
  /** What is asked for everything that no other one is named for. */
  const first = (hosts: string[], language: OwnIndex["language"], path: string) => {
    if (hosts[0] === undefined) return null;
    const named = own(hosts.slice(0, 1), language).find(({ serves }) => serves === "all");
    return named ? address(named) : `${plainAddress(registryOf(hosts[0]))}${path}`;
  };
  const names = (hosts: string[]) => hosts.map((host) => registryOf(host).host);
  const index = first(python, "python", "/simple/");
  const packages = first(javascript, "javascript", "/");
  const modules = first(go, "go", "")?.replace(/\/$/, "");
  const more = own(python, "python").filter(({ serves }) => serves === "more");
  const scopes = own(javascript, "javascript").filter(({ serves }) => serves.startsWith("@"));
  const isHere = indexes.some(({ url }) => LOOPBACK.test(new URL(url).hostname));
  return {
    ...(index && {
      PIP_INDEX_URL: index,
      PIP_TRUSTED_HOST: names(python).join(" "),
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      UV_DEFAULT_INDEX: index,
      UV_INSECURE_HOST: names(python).join(" "),
      ...(more.length > 0 && {
        PIP_EXTRA_INDEX_URL: more.map(address).join(" "),
        UV_INDEX: more.map(address).join(" "),
      }),
    }),
    ...(packages && {
      npm_config_registry: packages,
      // Lock files keep the registry's true address. The request uses ours.
      npm_config_replace_registry_host: names(javascript)[0] ?? "npmjs",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      YARN_NPM_REGISTRY_SERVER: packages.replace(/\/$/, ""),
      YARN_UNSAFE_HTTP_WHITELIST: names(javascript).join(","),
    }),
    ...Object.fromEntries(scopes.map((one) => [`npm_config_${one.serves}:registry`, address(one)])),
    ...(modules && { GOPROXY: modules }),
    // The index is on this machine, and inside this machine is another one: there, too, the proxy is asked.
    ...(isHere && { no_proxy: "", NO_PROXY: "", npm_config_noproxy: "" }),
  };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+)$/;

/** What may be read of this path, and what is said: everything of a public registry, of an own one what belongs to it. */
export function accessTo({ own }: Registry, path: string): { authorization: string | null } | null {
  if (own.length === 0) return { authorization: null };
  if (CLIMBS.test(path)) return null;
  const below = own.filter((index) => path.startsWith(rootOf(index)));
  const nearest = below.sort((one, other) => rootOf(other).length - rootOf(one).length)[0];
  return nearest ? { authorization: nearest.authorization } : null;
}

/** Any way of writing `..` between slashes. */
const CLIMBS = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:$|[?#/\\]|%2f|%5c)/i;

/** Files of an index of Python's stand beside its pages, not below them. */
const rootOf = ({ url, language }: OwnIndex): string => {
  const { pathname } = new URL(url);
  return language === "python" ? pathname.replace(/[^/]+\/$/, "") : pathname;
};

/** Replaces addresses of registries in a page of an index by those that package managers must ask. */
export function withPlainAddresses(text: string, registries: Registry[]): string {
  return registries.reduce(
    (done, registry) => done.replaceAll(`${trueAddress(registry)}/`, `${plainAddress(registry)}/`),
    text,
  );
}

const ARCHIVE = /\.(?:whl|tgz|zip|egg|tar\.(?:gz|bz2|xz))(?:\.metadata)?$/;
const GO_VERSION = /\/@v\/v\d[^/]*\.(?:info|mod|zip)$/;

/** A released file never changes: once kept, it is not downloaded again. */
export const isReleased = (path: string): boolean => ARCHIVE.test(path) || GO_VERSION.test(path);
