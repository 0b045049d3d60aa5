import { lookup } from "node:dns/promises";
import { type Authority, addressIn } from "./host-name.ts";
import { allowsHost, type HostRule } from "./host-rule.ts";
import type { AddressCheck } from "./public-address.ts";

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

export interface AddressPolicy {
  rules: HostRule[];
  resolve: Resolve;
  isPublic: AddressCheck;
}

export type Choice = { addresses: string[] } | { why: string };

/**
 * The addresses to connect to. The name is looked up here, once. So a name that later resolves to something else has no
 * effect.
 */
export async function chooseAddresses(policy: AddressPolicy, target: Authority): Promise<Choice> {
  const { rules, resolve, isPublic } = policy;
  if (!allowsHost(rules, target)) return { why: "not on the list of allowed hosts" };
  const literal = addressIn(target.host);
  const addresses = literal !== null ? [literal] : await resolve(target.host).catch(() => []);
  if (addresses.length === 0) return { why: "its name has no address" };
  // One non-public address is enough to refuse: a name of the internet must not point there.
  if (!addresses.every(isPublic)) return { why: "its address is not one of the public internet" };
  return { addresses };
}
