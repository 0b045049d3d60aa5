import type { Settings } from "../domain/settings/settings.ts";
import { runsInPlace } from "../domain/settings/settings.ts";
import { EnvironmentDirectories } from "../environments/environment-directories.ts";
import type { Environments } from "../environments/environments.ts";
import { droppedIdentity } from "../sandbox/identity.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { environmentsPlace, openEnvironments } from "./housed-languages.ts";
import { placesOfPackages } from "./places-of-packages.ts";

type Chosen = Pick<Settings, "sandbox" | "safety">;

/** What was built, without anything that could build. */
export function builtEnvironments({ sandbox }: Chosen, dataDirectory: string): EnvironmentDirectories {
  return new EnvironmentDirectories(placeOf(sandbox.backend, dataDirectory).environments);
}

/** Everything that building needs, for commands that belong to no task. */
export async function withEnvironments<T>(
  { sandbox: choice, safety }: Chosen,
  {
    dataDirectory,
    env,
    signal,
  }: { dataDirectory: string; env: Record<string, string | undefined>; signal: AbortSignal },
  onProgress: (text: string) => void,
  work: (environments: Environments) => Promise<T>,
): Promise<T> {
  const packages = placesOfPackages(dataDirectory, env);
  await using sandbox = openSandbox({ ...choice, packages });
  const surroundings = { env, execPath: process.execPath, version: process.version };
  const parts = { sandbox, limits: choice.limits, registries: safety.registries, signal, onProgress };
  return work(await openEnvironments(surroundings, { ...parts, ...placeOf(choice.backend, dataDirectory) }));
}

function placeOf(backend: Settings["sandbox"]["backend"], dataDirectory: string) {
  const owner = runsInPlace(backend) ? null : droppedIdentity();
  return {
    owner,
    environments: environmentsPlace(dataDirectory, CheckoutDirectories.open(dataDirectory, owner), owner),
  };
}
