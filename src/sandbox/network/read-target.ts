import { type Authority, readAuthority } from "../hosts/host-name.ts";

/** The target of a request, or why it cannot be read safely. */
export type Target = ({ ok: true; path: string } & Authority) | { ok: false; host: string; port: number; why: string };

export interface RequestHead {
  method: string;
  /** As it was sent: `host:port` for CONNECT, an absolute address for the others. */
  url: string;
  rawHeaders: string[];
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Reads the head of a request to the proxy. Anything that two programs could read differently is refused: two lengths,
 * two hosts, or a host that differs from the address. So the checked request is the one that is sent.
 */
export function readTarget(head: RequestHead): Target {
  return head.method === "CONNECT" ? readTunnel(head) : readPlain(head);
}

function readTunnel(head: RequestHead): Target {
  const target = readAuthority(head.url, null);
  if (target === null) return refused("the target of CONNECT must be a host and a port", head.url);
  const no = (why: string) => refused(why, target.host, target.port);
  // Some programs name the port there and some do not. Old ones omit the header.
  const hosts = valuesOf(head, "host");
  if (hosts.length > 1) return no("two Host headers");
  if (hosts.some((host) => !isSame(readAuthority(host, target.port), target))) return no("Host is not the target");
  if (valuesOf(head, "content-length").length + valuesOf(head, "transfer-encoding").length > 0) {
    return no("CONNECT has no body");
  }
  return { ok: true, path: "", ...target };
}

function readPlain(head: RequestHead): Target {
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(head.url) ?? [];
  const target = readAuthority(authority, 80);
  if (target === null) return refused("the address must be http://host/…, without a user or a fragment", head.url);
  const no = (why: string) => refused(why, target.host, target.port);
  if (!METHODS.has(head.method)) return no(`method ${head.method}`);
  const hosts = valuesOf(head, "host");
  if (hosts.length !== 1) return no(hosts.length === 0 ? "no Host header" : "two Host headers");
  if (!isSame(readAuthority(hosts[0] ?? "", 80), target)) return no("Host is not the target");
  const lengths = valuesOf(head, "content-length");
  const codings = valuesOf(head, "transfer-encoding");
  if (lengths.length + codings.length > 1) return no("two lengths of one body");
  if (lengths.some((length) => !/^\d+$/.test(length))) return no("Content-Length is no number");
  if (codings.some((coding) => coding.toLowerCase() !== "chunked")) return no("a transfer coding other than chunked");
  if (valuesOf(head, "upgrade").length > 0) return no("a change of protocol");
  return { ok: true, path: rest.startsWith("/") ? rest : `/${rest}`, ...target };
}

function valuesOf({ rawHeaders }: RequestHead, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push((rawHeaders[at + 1] ?? "").trim());
  }
  return values;
}

const isSame = (one: Authority | null, other: Authority) => one?.host === other.host && one.port === other.port;

const LONGEST_SHOWN = 253;

const refused = (why: string, host: string, port = 0): Target => ({
  ok: false,
  host: host.slice(0, LONGEST_SHOWN),
  port,
  why,
});
