import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { PackagePlaces } from "../packages/package-places.ts";
import type { Command, CommandResult, Sandbox } from "../sandbox.ts";
import type { NetworkParts } from "./run-with-network.ts";

/**
 * A sandbox whose commands may reach the hosts they name. The backend below never has a network. The only way out is
 * the UNIX socket of our proxy, made for one command and removed after it.
 */
export class NetworkedSandbox implements Sandbox {
  readonly #inner: Sandbox;
  readonly #packages: PackagePlaces | undefined;
  readonly #parts: NetworkParts | undefined;

  /**
   * Without `packages` every install downloads everything. `parts` are for tests alone: no configuration reaches them.
   */
  constructor(inner: Sandbox, packages?: PackagePlaces, parts?: NetworkParts) {
    this.#inner = inner;
    this.#packages = packages;
    this.#parts = parts;
  }

  get backend(): string {
    return this.#inner.backend;
  }

  async run(command: Command, limits: SandboxLimits, signal: AbortSignal): Promise<CommandResult> {
    const { network, ...offline } = command;
    if (network === undefined) return this.#inner.run(offline, limits, signal);
    // Most runs of a task never need it.
    const { networkParts, runWithNetwork } = await import("./run-with-network.ts");
    const run = (accompanied: Command) => this.#inner.run(accompanied, limits, signal);
    return runWithNetwork(offline, network, this.#parts ?? networkParts(), this.#packages, run);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }
}
