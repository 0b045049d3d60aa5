import { isIP } from "node:net";

/**
 * Whether a request was meant for this server. A page that lets its own name lead here (DNS rebinding) sends that name:
 * so an address and `localhost` count, and of all other names only those that the settings list.
 */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  return name === "localhost" || isAddress(name) || names.some((known) => known.toLowerCase() === name);
}

/** A browser says where the page comes from that asks. Only our own pages may; a program says nothing. */
export function isOwnOrigin(headers: {
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
}): boolean {
  const { host, origin, fetchSite } = headers;
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") return false;
  return origin === undefined || (URL.parse(origin)?.host ?? "") === host?.toLowerCase();
}

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function hostName(host: string | undefined): string | undefined {
  if (host === undefined || /[\s/@\\?#]/.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname;
}

const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
