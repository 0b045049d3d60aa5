import type { Authority } from "../hosts/host-name.ts";
import { parseHostRule } from "../hosts/host-rule.ts";

/** Hosts of the registries that an install may use, by language; the first of each is the one that names packages. */
export type Registries = Partial<Record<string, string[]>>;

/** A host that packages come from, and the port where it is asked for them. */
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
 * What makes package managers ask the registry without encryption: the proxy of ours answers these requests itself, from
 * what it kept or over an encrypted connection of its own. Nothing leaves the machine in the clear.
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
      // Lock files keep the registry's true address; it is asked for under ours.
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

/** Addresses of registries in a page of an index, as package managers are to ask for them. */
export function withPlainAddresses(text: string, registries: Registry[]): string {
  return registries.reduce(
    (done, registry) => done.replaceAll(`${secureAddress(registry)}/`, `${plainAddress(registry)}/`),
    text,
  );
}

const ARCHIVE = /\.(?:whl|tgz|zip|egg|tar\.(?:gz|bz2|xz))(?:\.metadata)?$/;
const GO_VERSION = /\/@v\/v\d[^/]*\.(?:info|mod|zip)$/;

/** A released file never changes: once kept, it is not asked for again. */
export const isReleased = (path: string): boolean => ARCHIVE.test(path) || GO_VERSION.test(path);
