import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Faults } from "../../faults.ts";
import type { Command, CommandResult, NetworkAccess, Sandbox } from "../../sandbox/sandbox.ts";
import { runWithServices } from "../../sandbox/services/run-with-services.ts";
import { executeApply, planApply } from "../../workspace/apply.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { Checkout } from "./checkout.ts";
import { toolsFor } from "./command-tools.ts";
import type { Languages } from "./parts.ts";

/** The name under which the trees of standalone commands are kept, in a separate store. */
export const STANDALONE = "sandbox";

export interface StandaloneParts {
  sandbox: Sandbox;
  artifacts: ArtifactStore;
  checkout: Checkout;
  languages: Languages;
  faults: Faults;
}

/** A command that belongs to no task. */
export interface StandaloneCommand {
  argv: string[];
  directory: string;
  home: string;
  env: Record<string, string>;
  network: NetworkAccess | null;
  limits: SandboxLimits;
  /** Run the command beside the project's services, with the project's variables for tests. */
  services: boolean;
  /** False: the changes of the command are thrown away. */
  keep: boolean;
  input: NonNullable<Command["stdinStream"]>;
  onOutput: NonNullable<Command["onOutput"]>;
}

export interface StandaloneResult {
  result: CommandResult;
  /** Files that were changed in the directory. */
  written: string[];
}

/**
 * Runs a command as the agent would: in a checkout of the directory, without its secrets and its `.git`, with its
 * interpreters and dependencies. Then the changes are written into the directory, however the command ended.
 */
export async function runStandaloneCommand(
  parts: StandaloneParts,
  command: StandaloneCommand,
  signal: AbortSignal,
): Promise<StandaloneResult> {
  const { artifacts, checkout } = parts;
  const { directory, home, keep } = command;
  const base = await artifacts.importTree(STANDALONE, directory, { home });
  await checkout.renew(base.id);
  const written: string[] = [];
  const writeBack = async () => {
    const after = keep ? await checkout.snapshot() : base.id;
    if (after === base.id) return;
    const intent = await planApply(artifacts, directory, base.id, after);
    written.push(...(await executeApply(intent, directory, artifacts, parts.faults)).changed);
  };
  let result: CommandResult;
  try {
    result = await run(parts, command, base.paths(), signal);
  } catch (error) {
    await writeBack();
    throw error;
  }
  await writeBack();
  return { result, written };
}

async function run(
  { sandbox, languages, checkout }: StandaloneParts,
  command: StandaloneCommand,
  paths: string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  const { argv, network, input, onOutput, limits } = command;
  const { mounts, path, env, needs } = await toolsFor(languages, command.directory, languages.detect(paths));
  const wanted = command.services ? needs : undefined;
  const sandboxed: Command = {
    argv,
    workspace: checkout.directory,
    mounts,
    path,
    env: { ...env, ...wanted?.env, ...command.env },
    stdinStream: input,
    onOutput,
    ...(network && { network }),
  };
  return runWithServices(sandbox, sandboxed, wanted?.services ?? [], limits, signal);
}
