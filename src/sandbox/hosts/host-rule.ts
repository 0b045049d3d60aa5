import { domainToASCII } from "node:url";
import { fail } from "../../domain/failure.ts";
import { type Authority, normaliseHost } from "./host-name.ts";

/** One line of the allowlist. */
export interface HostRule {
  host: string;
  /** True: any name below the host, but not the host itself. */
  below: boolean;
  /** Null: the ports of HTTP and HTTPS. */
  port: number | null;
}

const WEB_PORTS = [80, 443];

/** `example.org`, `*.example.org`, `example.org:8443`. */
export function parseHostRule(text: string): HostRule {
  const [, star, name = "", digits] = /^(\*\.)?(\[[^\]]*\]|[^:*]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = normaliseHost(asciiOf(name));
  const port = digits === undefined ? null : Number(digits);
  if (host === null || port === 0 || (port ?? 0) > 65_535) {
    throw refuse(text, "write a host like example.org, *.example.org or example.org:8443, without a scheme or path");
  }
  const below = star !== undefined;
  if (below && !host.includes(".")) throw refuse(text, "it covers too much; name at least a domain, *.example.org");
  return { host, below, port };
}

export function allowsHost(rules: HostRule[], { host, port }: Authority): boolean {
  return rules.some(
    (rule) =>
      (rule.below ? host.endsWith(`.${rule.host}`) : host === rule.host) &&
      (rule.port === null ? WEB_PORTS.includes(port) : port === rule.port),
  );
}

/**
 * Converts names beyond ASCII to their form on the network. Other names stay unchanged, because numbers would become
 * addresses.
 */
const asciiOf = (name: string) => (/^[\x20-\x7e]*$/.test(name) ? name : domainToASCII(name));

const refuse = (text: string, advice: string) =>
  fail("invalid-input", "network.host", `${JSON.stringify(text.slice(0, 100))} is no host to allow: ${advice}`);
