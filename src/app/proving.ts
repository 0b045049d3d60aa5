import type { Bus } from "../bus/bus.ts";
import { packageRoot } from "../config/package-root.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { runsInPlace } from "../domain/settings/settings.ts";
import { Checkout } from "../engine/hands/checkout.ts";
import { droppedIdentity } from "../sandbox/identity.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import type { ProveParts } from "../verify/prove/prove-parts.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { environmentsPlace, housedLanguages } from "./housed-languages.ts";
import { placesOfPackages } from "./places-of-packages.ts";
import { removeCheckouts } from "./remove-checkouts.ts";
import { newTaskId } from "./task-id.ts";

export interface ProvingOptions {
  settings: Pick<Settings, "sandbox" | "safety">;
  signal: AbortSignal;
  onProgress(text: string): void;
}

interface ProvingPlace {
  artifacts: ArtifactStore;
  bus: Bus;
  dataDirectory: string;
  env: Record<string, string | undefined>;
  version: string;
}

/**
 * The parts that the verifier needs to run trees without a task, a model or a key. They are removed afterwards; only
 * what the work wrote elsewhere stays.
 */
export async function withProveParts<T>(
  { artifacts, bus, dataDirectory, env, version }: ProvingPlace,
  { settings, signal, onProgress }: ProvingOptions,
  work: (parts: ProveParts) => Promise<T>,
): Promise<T> {
  const task = `p${newTaskId().slice(1)}`;
  const packages = placesOfPackages(dataDirectory, env);
  const sandbox = openSandbox({ ...settings.sandbox, packages });
  const owner = runsInPlace(settings.sandbox.backend) ? null : droppedIdentity();
  let directories: CheckoutDirectories | undefined;
  try {
    const opened = CheckoutDirectories.open(dataDirectory, owner);
    directories = opened;
    const { SyntaxParsers } = await import("../syntax/parse.ts");
    const { loadScanRules, withPolicy } = await import("../safety/scan/scan-rules.ts");
    const policy = settings.safety.code;
    return await work({
      task,
      artifacts,
      sandbox,
      limits: settings.sandbox.limits,
      languages: housedLanguages({ env, execPath: process.execPath, version: process.version }, undefined, {
        artifacts,
        sandbox,
        limits: settings.sandbox.limits,
        owner,
        environments: environmentsPlace(dataDirectory, opened, owner),
        registries: settings.safety.registries,
        signal,
        onProgress,
      }),
      parsers: new SyntaxParsers(),
      scanRules: async () => {
        const shipped = await loadScanRules(packageRoot());
        return policy ? withPolicy(shipped, policy) : shipped;
      },
      checkout: async (name, tree) => {
        const checkout = new Checkout(task, opened.path(task, 0, name), artifacts, owner);
        await checkout.renew(tree);
        return checkout.directory;
      },
      version,
      clock: Date.now,
      signal,
      onProgress,
    });
  } finally {
    await sandbox[Symbol.asyncDispose]();
    artifacts.deleteRefs(task);
    removeCheckouts(directories, task, 0, bus);
  }
}
