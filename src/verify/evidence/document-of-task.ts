import { EVIDENCE_FORMAT, type EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { TaskOutcome } from "../../domain/task/task.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { sha256 } from "../../journal/hash.ts";
import { readFrozen } from "../../journal/journal.ts";
import type { Recording } from "../../journal/recording.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { WITHOUT_SPEC } from "./evidence-sources.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { hashTests } from "./hash-tests.ts";
import { type RecordedRuns, recordedRuns } from "./recorded-runs.ts";
import { type RecordedTask, recordedTask } from "./recorded-task.ts";

interface TaskSources {
  recording: Recording;
  /** Where the trees are that the recording names. */
  artifacts: ArtifactStore;
}

export interface TaskEvidence {
  document: EvidenceDocument;
  /** The files of tests that are in no tree, because the coder was not to see them. */
  unseen: { path: string; content: string }[];
}

/**
 * The evidence of a task, made from its recording and its trees alone. So `verify` can make it again from a bundle, and
 * whatever a bundle says otherwise is a fault.
 */
export async function documentOfTask({ recording, artifacts }: TaskSources): Promise<TaskEvidence> {
  const frozen = await readFrozen(recording);
  const runs = await recordedRuns(recording);
  const task = await recordedTask(recording, frozen);
  const evidence = task.evidence ?? fromRuns(runs);
  const { tree, carriedBy: _, superseded: __, ...gathered } = evidence;
  const { baseTree, spec, reviews } = task;
  const models = modelsOf(frozen, task.calls);
  const resultTree = tree === "" ? (task.outcome?.tree ?? null) : tree;
  const unseen = [...runs.heldOut, ...runs.sharpened].map(({ path, content }) => ({ path, content }));
  const document: EvidenceDocument = {
    format: EVIDENCE_FORMAT,
    producer: "run",
    at: task.at,
    task: recording.task,
    goal: frozen.request.goal,
    verdict: verdictOf(task.outcome, evidence),
    ...(spec && { kind: spec.kind }),
    change: {
      files:
        baseTree !== null && resultTree !== null && artifacts.has(baseTree) && artifacts.has(resultTree)
          ? artifacts.changes(baseTree, resultTree).map(({ path, change }) => ({ path, change }))
          : [],
    },
    ...gathered,
    scans: runs.scan && runs.scan.tree === resultTree ? runs.scan.findings : null,
    approvals: task.approvals,
    ...(reviews.length > 0 && { reviews }),
    limits: { ...frozen.settings.sandbox.limits, ...frozen.settings.limits },
    cost: costOf(task),
    hashes: {
      baseTree,
      resultTree,
      tests: [
        ...(resultTree === null || !artifacts.has(resultTree)
          ? []
          : hashTests(artifacts, resultTree, testFilesOf(spec))),
        ...unseen.map(({ path, content }) => ({ path, sha256: sha256(content) })),
      ],
      journal: [...(await journalHeads(recording))].map(([strand, head]) => ({ strand, head })),
      frozen: recording.frozenHash,
      prompts: Object.fromEntries(Object.entries(frozen.prompts).map(([role, prompt]) => [role, sha256(prompt)])),
    },
    versions: { miracle: frozen.version, ...runs.versions },
    sandbox: frozen.settings.sandbox.backend,
    models,
    sameModel: sameModel(models),
    notes: [
      ...(task.tidied?.moved ?? []).map(({ from, to }) => `what was delivered has the tests of ${from} in ${to}`),
      ...(task.removed?.removed ?? []).map(
        (test) => `what was delivered is without ${test}, which the goal makes obsolete`,
      ),
      ...(task.removed?.red ?? []).map((test) => `${test} is red in what was delivered; the goal makes it obsolete`),
    ],
  };
  return { document, unseen };
}

/** Of a task that has gathered none: what its runs say of its tests. */
const fromRuns = ({ gate, baseline, checks, measured }: RecordedRuns): GatheredEvidence =>
  gatherEvidence({
    ...WITHOUT_SPEC,
    baseline,
    run: { tree: "", report: gate, accept: [], checks },
    ...(measured && { measured }),
  });

/** Which files are tests, as the language of the spec says; of work without a spec none. */
function testFilesOf(spec: Spec | null): (path: string) => boolean {
  const language = spec && openLanguages().named(spec.language);
  return (path) => language?.isTestFile(path) ?? false;
}

/** Of the answered calls; null where a model has no price. What a call without an answer cost is in the ledger alone. */
function costOf({ calls, iterations }: RecordedTask): EvidenceDocument["cost"] {
  const paid = calls.filter(({ inherited }) => !inherited);
  return {
    micros: paid.reduce<number | null>((sum, { micros }) => (sum === null || micros === null ? null : sum + micros), 0),
    tokens: paid.reduce((sum, { tokens }) => sum + tokens, 0),
    calls: paid.length,
    iterations,
  };
}

function verdictOf(
  outcome: TaskOutcome | null,
  { speed = [], requirements, carriedBy }: GatheredEvidence,
): EvidenceDocument["verdict"] {
  if (!outcome) {
    return { status: "not-proven", summary: "not proven: the task has not ended", carriedBy: [], reasons: [] };
  }
  if (outcome.status === "not-proven") {
    const { code, message } = outcome.failure;
    const status = code === "tests.tampered" ? "refused" : "not-proven";
    return { status, summary: `${status.replace("-", " ")}: ${message}`, carriedBy: [], reasons: [message] };
  }
  const { status } = outcome;
  const unmeasured = speed.filter(({ verdict }) => verdict === "not-measured");
  const reasons = unmeasured.map(({ requirement, why }) => `the speed of ${requirement} was not measured: ${why}`);
  const shown = requirements.filter(({ support }) => support !== "none").length;
  const summary =
    status === "proven"
      ? `proven: ${shown === 1 ? "1 requirement, with" : `${shown} requirements, each with`} a test that shows it`
      : "checked: what is accepted as proof passed";
  return { status, summary, carriedBy, reasons };
}

/** The ones that answered; of a role that was never asked, the ones it would have asked. */
function modelsOf(frozen: Frozen, calls: RecordedTask["calls"]): Record<string, string[]> {
  const answered = Map.groupBy(calls, ({ role }) => role);
  return Object.fromEntries(
    Object.entries(frozen.settings.models).map(([role, { models }]) => {
      const own = [...answered].find(([name]) => name === role)?.[1].map(({ model }) => model);
      return [role, own ? [...new Set(own)].sort() : models];
    }),
  );
}

function sameModel({ tester = [], coder = [] }: Record<string, string[]>): boolean | null {
  return tester.length === 0 || coder.length === 0 ? null : tester.some((model) => coder.includes(model));
}

/** The last hash of each strand: it stands for all of them before it. */
async function journalHeads(recording: Recording): Promise<Map<string, string>> {
  const heads = new Map<string, string>();
  for (const name of (await recording.strands()).toSorted()) {
    const last = (await recording.strand(name)).steps.at(-1);
    if (last) heads.set(name, last.hash);
  }
  return heads;
}
