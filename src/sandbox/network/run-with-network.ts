import { chmodSync, chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../domain/failure.ts";
import { makeSocketScratch } from "../../workspace/scratch-directory.ts";
import { withCompanion } from "../companion.ts";
import { type Resolve, resolveBySystem } from "../hosts/choose-address.ts";
import { withFewLookups } from "../hosts/few-lookups.ts";
import { parseHostRule } from "../hosts/host-rule.ts";
import { type AddressCheck, publicAddresses } from "../hosts/public-address.ts";
import { droppedIdentity } from "../identity.ts";
import type { Secure } from "../packages/ask-registry.ts";
import type { KeptPackages } from "../packages/kept-packages.ts";
import type { PackagePlaces } from "../packages/package-places.ts";
import type { Command, CommandResult, NetworkAccess } from "../sandbox.ts";
import { FilteringProxy, PROXY_LIMITS, type ProxyLimits, type ProxyOptions } from "./filtering-proxy.ts";
import { certificateMounts, PROXY_ENVIRONMENT } from "./proxy-environment.ts";
import { relay, SOCKET_DIRECTORY, SOCKET_NAME } from "./relay.ts";

export interface NetworkParts {
  /** The Node that runs the relay. */
  execPath: string;
  limits: ProxyLimits;
  resolve: Resolve;
  isPublic: AddressCheck;
  /** How registries of packages prove who they are; TLS by default. */
  secure?: Secure;
}

const MOST_LOOKUPS = 2;

export const networkParts = (): NetworkParts => ({
  execPath: process.execPath,
  limits: PROXY_LIMITS,
  resolve: resolveBySystem,
  isPublic: publicAddresses(),
});

/** Runs a command with a proxy outside, a relay to it inside, and everything that makes programs use it. */
export async function runWithNetwork(
  command: Command,
  { hosts, registries = {}, onRequest = () => {} }: NetworkAccess,
  { execPath, secure, ...parts }: NetworkParts,
  places: PackagePlaces | undefined,
  run: (command: Command) => Promise<CommandResult>,
): Promise<CommandResult> {
  const rules = hosts.map(parseHostRule);
  const resolve = withFewLookups(parts.resolve, MOST_LOOKUPS);
  const policy = { ...parts, resolve, rules };
  const packages = await openPackages();
  await using proxy = await openProxy({ ...policy, onRequest, ...(packages && { openMirror: packages.openMirror }) });
  const mounts = [...certificateMounts(), { from: proxy.directory, to: SOCKET_DIRECTORY }];
  const networked = {
    ...command,
    env: { ...PROXY_ENVIRONMENT, ...packages?.env, ...command.env },
    mounts: [...(command.mounts ?? []), ...mounts],
  };
  const accompanied = withCompanion(networked, relay, execPath);
  const result = await run(accompanied.command);
  await packages?.prune();
  const whyNot = accompanied.whyNot(result);
  if (whyNot !== null) throw noRelay(whyNot);
  return result;

  async function openPackages(): Promise<KeptPackages | undefined> {
    if (places === undefined || Object.keys(registries).length === 0) return undefined;
    // Most commands with a network install nothing.
    const { keptPackages } = await import("../packages/kept-packages.ts");
    const { secureByTls } = await import("../packages/ask-registry.ts");
    const asking = { ...policy, idleMs: parts.limits.idleMs, secure: secure ?? secureByTls };
    return keptPackages(registries, places, (await places.indexes?.()) ?? [], asking);
  }
}

interface OpenProxy extends AsyncDisposable {
  /** Holds the socket, and is open to sandboxed code alone. */
  directory: string;
}

async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const directory = makeSocketScratch("network");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const socket = join(directory, SOCKET_NAME);
    const proxy = await FilteringProxy.listen(socket, options);
    chmodSync(socket, 0o600);
    const identity = droppedIdentity();
    if (identity) for (const path of [socket, directory]) chownSync(path, identity.uid, identity.gid);
    return {
      directory,
      [Symbol.asyncDispose]: async () => {
        await proxy[Symbol.asyncDispose]();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function noRelay(said: string): Error {
  const message = `the sandbox's way to the network did not start (${said.split("\n")[0] ?? ""}): see \`miracle doctor\``;
  return fail("environment", "sandbox.network", message, { detail: said });
}
