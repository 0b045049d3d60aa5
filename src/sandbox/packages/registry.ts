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
}

export function registryOf(text: string): Registry {
  const { host, port } = parseHostRule(text);
  return { host, plainPort: port ?? 80, securePort: port ?? 443 };
}

export const findRegistry = (registries: Registry[], { host, port }: Authority): Registry | undefined =>
  registries.find((registry) => registry.host === host && registry.plainPort === port);

export const secureAddress = ({ host, securePort }: Registry): string =>
  `https://${host}${securePort === 443 ? "" : `:${securePort}`}`;

const plainAddress = ({ host, plainPort }: Registry): string =>
  `http://${host}${plainPort === 80 ? "" : `:${plainPort}`}`;

/**
 * Settings that make package managers ask the registry without encryption. Our proxy answers these requests itself,
 * from its cache or over its own encrypted connection. Nothing leaves the machine unencrypted.
 */
export function registryEnvironment({ python, javascript, go }: Registries): Record<string, string> {
  const first = (hosts: string[] | undefined) => (hosts?.[0] === undefined ? null : plainAddress(registryOf(hosts[0])));
  const names = (hosts: string[] = []) => hosts.map((host) => registryOf(host).host);
  const index = first(python);
  const packages = first(javascript);
  const modules = first(go);
  return {
    ...(index && {
      PIP_INDEX_URL: `${index}/simple/`,
      PIP_TRUSTED_HOST: names(python).join(" "),
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      UV_DEFAULT_INDEX: `${index}/simple/`,
      UV_INSECURE_HOST: names(python).join(" "),
    }),
    ...(packages && {
      npm_config_registry: `${packages}/`,
      // Lock files keep the registry's true address. The request uses ours.
      npm_config_replace_registry_host: names(javascript)[0] ?? "npmjs",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      YARN_NPM_REGISTRY_SERVER: packages,
      YARN_UNSAFE_HTTP_WHITELIST: names(javascript).join(","),
    }),
    ...(modules && { GOPROXY: modules }),
  };
}

/** Replaces addresses of registries in a page of an index by those that package managers must ask. */
export function withPlainAddresses(text: string, registries: Registry[]): string {
  return registries.reduce(
    (done, registry) => done.replaceAll(`${secureAddress(registry)}/`, `${plainAddress(registry)}/`),
    text,
  );
}

const ARCHIVE = /\.(?:whl|tgz|zip|egg|tar\.(?:gz|bz2|xz))(?:\.metadata)?$/;
const GO_VERSION = /\/@v\/v\d[^/]*\.(?:info|mod|zip)$/;

/** A released file never changes: once kept, it is not downloaded again. */
export const isReleased = (path: string): boolean => ARCHIVE.test(path) || GO_VERSION.test(path);
