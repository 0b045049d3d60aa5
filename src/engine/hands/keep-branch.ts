import { Role } from "../../domain/message.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { sha256 } from "../../journal/hash.ts";
import type { Run } from "./run.ts";

/**
 * A tree lives on as a branch of the artifact store, under the name of the todo that made it. `head` is the hash of the
 * last step that made it, where that stands on another strand.
 */
export function keepBranch(run: Run, todo: string, snapshot: string, message: string, head?: string): void {
  const { task, claim, frozen } = run.parts.journal;
  const steps = {
    "Miracle-Steps": `${run.name} 0-${run.position}`,
    ...(head !== undefined && { "Miracle-Head": head }),
  };
  const trailers = { ...madeBy(frozen), ...steps };
  const epoch = claim?.epoch ?? 0;
  run.parts.artifacts.setBranch({ task, todo, snapshot, message, at: run.parts.clock(), epoch, trailers });
}

/** Who made it: which Miracle, and for each role the hashes of what it was told and given, and its models. */
function madeBy({ version, prompts, tools, settings }: Frozen): Record<string, string> {
  const roles = Role.options.map((role): [string, string] => {
    const told = `prompt ${short(prompts[role])}, tools ${short(JSON.stringify(tools[role]))}`;
    return [`Miracle-Role-${role}`, `${told}, ${settings.models[role].models.join(" ")}`];
  });
  return { "Miracle-Version": version, ...Object.fromEntries(roles) };
}

const short = (text: string): string => sha256(text).slice(0, 12);
