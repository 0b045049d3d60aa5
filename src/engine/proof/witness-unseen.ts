import { basename } from "node:path";
import { type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { WitnessReport } from "../../domain/evidence/witness-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { witnessTests } from "../../verify/witness/witness-tests.ts";
import type { Run } from "../hands/run.ts";

export interface Witnessed {
  /** The finished change. */
  tree: string;
  language: Language;
  files: TestFile[];
  /** Those that passed in their runner are asked for. */
  tests: HeldOutTest[];
}

/** The unseen tests that passed, once more without their runner, in a directory that never held them. */
export async function witnessUnseen(run: Run, { tree, language, files, tests }: Witnessed): Promise<WitnessReport> {
  const ids = tests.filter((test) => mustRun(test) && test.outcome === "passed").map(heldOutId);
  if (ids.length === 0) return { tests: [], problem: null };
  const due = files.filter(({ path }) => ids.some((id) => id.startsWith(`${path}::`)));
  const input = { tree, ids, files: due.map(({ path, content }) => ({ path, content })) };
  return run.step({ kind: "tool", name: "witness", input, output: WitnessReport }, async () => {
    const { sandbox, signal, checkouts, languages } = run.parts;
    run.parts.onProgress("the unseen tests once more, as a program of their own", 0, 0);
    const checkout = checkouts.named("witness");
    try {
      return await witnessTests({
        sandbox,
        limits: run.settings.sandbox.limits,
        signal,
        language,
        toolchain: await languages.toolchain(language, run.request.directory, tree),
        project: basename(run.request.directory),
        layOut: async () => {
          await checkout.renew(tree);
          return checkout.directory;
        },
        files: input.files,
        ids,
      });
    } finally {
      checkout.clear();
    }
  });
}
