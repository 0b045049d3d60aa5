import { isIPv4, isIPv6 } from "node:net";

export interface Authority {
  host: string;
  port: number;
}

/**
 * The form of a host for comparison: lower case, without the final dot. Null for anything but a plain name or address:
 * some programs read `0x7f.1`, `2130706433` and `0177.0.0.1` as numbers of addresses.
 */
export function normaliseHost(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, "");
  if (isIPv4(host)) return host;
  const bracketed = /^\[([0-9a-f:.]+)\]$/.exec(host)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? host : null;
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return null;
  return /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? null : host;
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/** `host:port` or, where there is a default, `host`. */
export function readAuthority(text: string, defaultPort: number | null): Authority | null {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = normaliseHost(name);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === null || port === null || port < 1 || port > 65_535) return null;
  return { host, port };
}

/** An address that a name may be written as: without the brackets of IPv6. */
export const addressIn = (host: string): string | null => {
  const bare = host.replace(/^\[|\]$/g, "");
  return isIPv4(bare) || isIPv6(bare) ? bare : null;
};
