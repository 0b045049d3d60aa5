import { rmSync } from "node:fs";
import { readTestNeeds } from "../config/test-needs.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { runsInPlace } from "../domain/settings/settings.ts";
import { Checkout } from "../engine/hands/checkout.ts";
import {
  runStandaloneCommand,
  STANDALONE,
  type StandaloneCommand,
  type StandaloneResult,
} from "../engine/hands/run-standalone-command.ts";
import { faultsFrom } from "../faults.ts";
import { openLanguages } from "../languages/open-languages.ts";
import { droppedIdentity } from "../sandbox/identity.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { ArtifactStore } from "../workspace/artifact-store.ts";
import { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { makeScratch } from "../workspace/scratch-directory.ts";
import { placesOfPackages } from "./places-of-packages.ts";
import { newTaskId } from "./task-id.ts";

/** Runs a command that belongs to no task, in parts that are removed afterwards. */
export async function runInSandbox(
  choice: Pick<Settings["sandbox"], "backend" | "image">,
  dataDirectory: string,
  env: Record<string, string | undefined>,
  command: StandaloneCommand,
  signal: AbortSignal,
): Promise<StandaloneResult> {
  const packages = placesOfPackages(dataDirectory, env);
  await using sandbox = openSandbox({ ...choice, packages });
  const needs = command.services ? await readTestNeeds(command.directory) : undefined;
  const owner = runsInPlace(choice.backend) ? null : droppedIdentity();
  const directories = CheckoutDirectories.open(dataDirectory, owner);
  const name = `${STANDALONE}-${newTaskId()}`;
  const place = makeScratch("sandbox");
  const artifacts = ArtifactStore.open(place);
  const cleanUp = () => {
    artifacts.close();
    directories.remove(name);
    rmSync(place, { recursive: true, force: true });
  };
  // The exit handler also covers a closed output pipe, which ends the process at once.
  process.once("exit", cleanUp);
  try {
    return await runStandaloneCommand(
      {
        sandbox,
        artifacts,
        checkout: new Checkout(STANDALONE, directories.path(name, 0, "workspace"), artifacts, owner),
        languages: openLanguages({ env, execPath: process.execPath, version: process.version }, needs),
        faults: faultsFrom(undefined, () => {}),
      },
      command,
      signal,
    );
  } finally {
    process.off("exit", cleanUp);
    cleanUp();
  }
}
