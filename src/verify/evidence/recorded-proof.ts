import { z } from "zod";
import { AccountLine } from "../../domain/evidence/account.ts";
import { Measured } from "../../domain/evidence/measured.ts";
import { TestReport } from "../../domain/evidence/test-report.ts";
import { WitnessReport } from "../../domain/evidence/witness-report.ts";
import { TestFile } from "../../domain/plan/test-file.ts";
import { nameOf } from "../../domain/task/step-path.ts";
import { unpack } from "../../journal/pack.ts";
import type { Recording } from "../../journal/recording.ts";
import { stepsOfTask } from "./recorded-task.ts";

const RedCheck = z.lazy(() => z.object({ tree: z.string(), files: z.array(TestFile) }));
const RedRuns = z.lazy(() => z.object({ runs: z.object({ base: TestReport.nullable() }) }));
const Unseen = z.lazy(() => z.object({ tree: z.string(), before: z.string(), files: z.array(TestFile) }));
const UnseenRuns = z.array(z.object({ id: z.string(), outcome: z.string() }));
/** As it was laid over a tree. Examples of a contract are there as well, and cover no requirement. */
const LaidFile = z.object({
  path: z.string(),
  content: z.string(),
  covers: z.array(z.object({ test: z.string(), requirement: z.string() })),
});
const Mutating = z.object({
  tree: z.string(),
  against: z.string(),
  files: z.array(LaidFile),
  budgetMs: z.number(),
});

const Text = z.object({ path: z.string(), content: z.string() });
const Witnessing = z.object({ tree: z.string(), ids: z.array(z.string()), files: z.array(Text) });
const Accounting = z.object({
  base: z.string(),
  result: z.string(),
  files: z.array(Text),
  asked: z.object({
    words: z.string(),
    artifacts: z.array(z.string()),
    packages: z.string().optional(),
    code: z.boolean(),
  }),
  leave: z.array(z.string()),
  budgetMs: z.number(),
});

/** What a proof was made from and what came out, as the journal has it: enough to do it again. */
export interface RecordedProof {
  /** New tests on the code before the change; only where they could run on it as it was. */
  red: { tree: string; files: TestFile[]; report: TestReport }[];
  /** The last run of the tests that the coder never saw. */
  unseen: (z.infer<typeof Unseen> & { outcomes: z.infer<typeof UnseenRuns> }) | null;
  mutants: (z.infer<typeof Mutating> & { measured: Measured }) | null;
  witness: (z.infer<typeof Witnessing> & { report: WitnessReport }) | null;
  account: (z.infer<typeof Accounting> & { lines: AccountLine[] }) | null;
}

export async function recordedProof(recording: Recording): Promise<RecordedProof> {
  const proof: RecordedProof = { red: [], unseen: null, mutants: null, witness: null, account: null };
  const read = (hash: string) => unpack(hash, (wanted) => recording.blob(wanted));
  for (const { kind, outcome, path, inputHash, outputHash } of await stepsOfTask(recording)) {
    if (kind !== "tool" || outcome !== "ok") continue;
    switch (nameOf(path)) {
      case "red-check": {
        const report = RedRuns.safeParse(await read(outputHash)).data?.runs.base;
        if (report) proof.red.push({ ...RedCheck.parse(await read(inputHash)), report });
        break;
      }
      case "held-out":
        proof.unseen = {
          ...Unseen.parse(await read(inputHash)),
          outcomes: UnseenRuns.parse(await read(outputHash)),
        };
        break;
      case "mutants":
        proof.mutants = { ...Mutating.parse(await read(inputHash)), measured: Measured.parse(await read(outputHash)) };
        break;
      case "witness":
        proof.witness = {
          ...Witnessing.parse(await read(inputHash)),
          report: WitnessReport.parse(await read(outputHash)),
        };
        break;
      case "account":
        proof.account = {
          ...Accounting.parse(await read(inputHash)),
          lines: z.array(AccountLine).parse(await read(outputHash)),
        };
        break;
    }
  }
  return proof;
}

/** The trees that it takes to do it again. */
export const treesOfProof = ({ red, unseen, mutants, witness, account }: RecordedProof): Set<string> =>
  new Set([
    ...red.map(({ tree }) => tree),
    ...(unseen ? [unseen.tree, unseen.before] : []),
    ...(mutants ? [mutants.tree, mutants.against] : []),
    ...(witness ? [witness.tree] : []),
    ...(account ? [account.base, account.result] : []),
  ]);
