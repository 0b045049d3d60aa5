import { randomBytes } from "node:crypto";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { chmod, chown } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../domain/failure.ts";
import type { SandboxLimits } from "../../domain/settings.ts";
import { NOT_STARTED, withCompanion } from "../companion.ts";
import { droppedIdentity, type Identity } from "../identity.ts";
import type { Command, CommandResult, NetworkAccess, Sandbox } from "../sandbox.ts";
import { type Resolve, resolveBySystem } from "./choose-address.ts";
import { FilteringProxy, PROXY_LIMITS, type ProxyLimits } from "./filtering-proxy.ts";
import { type HostRule, parseHostRule } from "./host-rule.ts";
import { certificateMounts, PROXY_ENVIRONMENT } from "./proxy-environment.ts";
import { type AddressCheck, publicAddresses } from "./public-address.ts";
import { relay, SOCKET_DIRECTORY, SOCKET_NAME } from "./relay.ts";

export interface NetworkParts {
  /** The Node that runs the relay. */
  execPath: string;
  limits: ProxyLimits;
  /** Replaced by tests alone: no configuration reaches these two. */
  resolve: Resolve;
  isPublic: AddressCheck;
}

export const networkParts = (): NetworkParts => ({
  execPath: process.execPath,
  limits: PROXY_LIMITS,
  resolve: resolveBySystem,
  isPublic: publicAddresses(),
});

/**
 * A sandbox whose commands may reach the hosts they name. The backend below never has a network: what leaves it is a
 * UNIX socket of a proxy of ours, made for one command and gone after it.
 */
export class NetworkedSandbox implements Sandbox {
  readonly #inner: Sandbox;
  readonly #parts: () => NetworkParts;

  constructor(inner: Sandbox, parts: () => NetworkParts = networkParts) {
    this.#inner = inner;
    this.#parts = parts;
  }

  get backend(): string {
    return this.#inner.backend;
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    const { network, ...offline } = command;
    if (network === undefined) return this.#inner.run(offline, limits, signal);
    const parts = this.#parts();
    const rules = network.hosts.map(parseHostRule);
    await using proxy = await openProxy(network, { ...parts, rules });
    const mark = `miracle-relay-${randomBytes(16).toString("hex")}`;
    const networked = withCompanion(
      {
        ...offline,
        env: { ...PROXY_ENVIRONMENT, ...offline.env },
        mounts: [...(offline.mounts ?? []), ...certificateMounts(), { from: proxy.directory, to: SOCKET_DIRECTORY }],
      },
      relay,
      { mark, execPath: parts.execPath },
    );
    const result = await this.#inner.run(networked, limits, signal);
    if (result.exitCode === NOT_STARTED && result.stderr.includes(mark)) throw noRelay(result.stderr, mark);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }
}

interface OpenProxy extends AsyncDisposable {
  /** Holds the socket, and is open to sandboxed code alone. */
  directory: string;
}

async function openProxy(
  { onRequest = () => {} }: NetworkAccess,
  { rules, resolve, isPublic, limits }: NetworkParts & { rules: HostRule[] },
): Promise<OpenProxy> {
  const identity = droppedIdentity();
  const directory = mkdtempSync(join(socketRoot(), "miracle-network-"));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const socket = join(directory, SOCKET_NAME);
    const options = { rules, resolve, isPublic, limits, onRequest };
    const proxy = await FilteringProxy.listen(socket, options);
    await handOver(directory, socket, identity);
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

async function handOver(directory: string, socket: string, identity: Identity | null): Promise<void> {
  await chmod(socket, 0o600);
  if (identity === null) return;
  await chown(socket, identity.uid, identity.gid);
  chownSync(directory, identity.uid, identity.gid);
}

/** The path of a UNIX socket has at most 107 bytes. */
const socketRoot = () => (Buffer.byteLength(tmpdir()) > 70 ? "/tmp" : tmpdir());

function noRelay(stderr: string, mark: string): Error {
  const said = stderr.slice(stderr.indexOf(mark) + mark.length).trim();
  const message = `the sandbox's way to the network did not start (${said.split("\n")[0] ?? ""}): see \`miracle doctor\``;
  return fail("environment", "sandbox.network", message, { detail: said });
}
