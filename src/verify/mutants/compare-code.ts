import type { Mutant, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { Surroundings } from "./surroundings.ts";

const REASONS: Record<string, string> = {
  s: "it compiles to the same code",
  t: "it compiles to the same code as another mutant",
  b: "it does not compile",
};

interface Comparison extends Surroundings {
  mutants: readonly Mutant[];
  read: (path: string) => string | null;
}

/** Mutants that no test could notice, or that any would: found by compiling all of them in one process. */
export async function compareCode(run: Comparison, workspace: string): Promise<MutantResult[]> {
  const { language, mutants, sandbox, toolchain, limits, signal } = run;
  if (!language.comparison || mutants.length === 0) return [];
  const originals = new Map(mutants.map(({ path }) => [path, run.read(path) ?? ""]));
  const { argv, env, stdin } = language.comparison(originals, mutants);
  const { mounts, path } = toolchain;
  const command = { argv, stdin, workspace, mounts, path, env: { ...toolchain.env, ...env } };
  const { stdout } = await sandbox.run(command, limits, signal);
  // One letter each, or something went wrong: then all of them run.
  if (stdout.length !== mutants.length) return [];
  return mutants.flatMap((mutant, index): MutantResult[] => {
    const reason = REASONS[stdout[index] ?? ""];
    return reason === undefined ? [] : [{ mutant, fate: "skipped", killedBy: [], expectedBy: [], reason }];
  });
}
