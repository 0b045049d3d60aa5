import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { Toolchain } from "../../languages/language.ts";
import { normaliseOutput } from "../../languages/normalise.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { judgingFiles, withOldScripts } from "./accept-scripts.ts";
import type { ProveParts } from "./prove-parts.ts";

export type AcceptParts = Pick<
  ProveParts,
  "sandbox" | "limits" | "checkout" | "signal" | "onProgress" | "artifacts" | "task"
>;

const OUTPUT_CHARACTERS = 1000;
/** What bash ends with where there is no such program. */
const NOT_FOUND = 127;

/**
 * Each command of the person's on both trees, each time in a clean checkout: a command may change files. Where the change
 * edits what the command judges with, it also runs with that as it was.
 */
export async function runAccept(
  parts: AcceptParts,
  inTree: (tree: string) => Toolchain,
  { base, result }: { base: string; result: string },
  commands: string[],
  files: readonly ChangedFile[],
): Promise<EvidenceDocument["accept"]> {
  const run = (command: string, tree: string) => runCommand(parts, inTree(tree), command, tree);
  const results: EvidenceDocument["accept"] = [];
  for (const command of commands) {
    parts.onProgress(`running $ ${command}, before and after`);
    const judging = judgingFiles(command, files);
    const edited = judging.filter(({ before }) => before !== null);
    results.push({
      command,
      before: await run(command, base),
      after: await run(command, result),
      ...(edited.length > 0 && {
        asBefore: await run(command, withOldScripts(parts.artifacts, parts.task, result, edited)),
        edited: edited.map(({ path }) => path),
      }),
      ...(edited.length < judging.length && { brought: true }),
    });
  }
  return results;
}

/** One command of the person's in a clean checkout of one tree. */
export async function runCommand(
  parts: AcceptParts,
  { mounts, path, env }: Toolchain,
  command: string,
  tree: string,
): Promise<{ passed: boolean; ending: string; output?: string }> {
  const workspace = await parts.checkout("accept", tree);
  const argv = ["bash", "-c", command];
  const done = await parts.sandbox.run({ argv, workspace, mounts, path, env }, parts.limits, parts.signal);
  const passed = done.ending === "exited" && done.exitCode === 0;
  const missing = done.exitCode === NOT_FOUND ? " (a command was not found in the sandbox)" : "";
  const ending = done.ending === "exited" ? `exit code ${done.exitCode ?? done.signal}${missing}` : done.ending;
  const said = normaliseOutput(`${done.stdout}\n${done.stderr}`.trim(), { workspace }).slice(-OUTPUT_CHARACTERS);
  return { passed, ending, ...(passed || said === "" ? {} : { output: said }) };
}
