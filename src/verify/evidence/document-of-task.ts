import { EVIDENCE_FORMAT, type EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { currentPlan } from "../../domain/task/current-plan.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import type { Frozen } from "../../journal/frozen.ts";
import { sha256 } from "../../journal/hash.ts";
import { readFrozen } from "../../journal/journal.ts";
import type { Recording } from "../../journal/recording.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { journalHeads } from "./check-bundle.ts";
import { WITHOUT_SPEC } from "./evidence-sources.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { hashTests } from "./hash-tests.ts";
import { type RecordedRuns, recordedRuns } from "./recorded-runs.ts";

interface TaskSources {
  task: TaskSummary;
  recording: Recording;
  events: readonly Event[];
  artifacts: ArtifactStore;
  /** Which files are tests, as the task's language says. */
  isTestFile(path: string): boolean;
}

export interface TaskEvidence {
  document: EvidenceDocument;
  /** The files of tests that are in no tree, because the coder was not to see them. */
  unseen: { path: string; content: string }[];
}

/** The evidence of a task, read from what was recorded of it: everything in it stands in the journal. */
export async function documentOfTask(sources: TaskSources): Promise<TaskEvidence> {
  const { task, recording, events, artifacts } = sources;
  const frozen = await readFrozen(recording);
  const runs = await recordedRuns(recording);
  const evidence = last(events, "evidence-gathered")?.evidence ?? fromRuns(runs);
  const { tree, carriedBy: _, superseded: __, ...gathered } = evidence;
  const spec = currentPlan(events)?.spec;
  const calls = events.filter((event) => event.type === "model-called");
  const models = modelsOf(frozen, calls);
  const { baseTree } = task;
  const resultTree = tree === "" ? task.resultTree : tree;
  const unseen = [...runs.heldOut, ...runs.sharpened].map(({ path, content }) => ({ path, content }));
  const document: EvidenceDocument = {
    format: EVIDENCE_FORMAT,
    producer: "run",
    at: task.updatedAt,
    task: task.id,
    goal: task.goal,
    verdict: verdictOf(task, evidence),
    ...(spec && { kind: spec.kind }),
    change: {
      files:
        baseTree !== null && resultTree !== null && artifacts.has(baseTree) && artifacts.has(resultTree)
          ? artifacts.changes(baseTree, resultTree).map(({ path, change }) => ({ path, change }))
          : [],
    },
    ...gathered,
    scans: runs.scan && runs.scan.tree === resultTree ? runs.scan.findings : null,
    approvals: approvalsOf(events),
    ...reviewsOf(events),
    limits: { ...frozen.settings.sandbox.limits, ...frozen.settings.limits },
    cost: { micros: task.costMicros, tokens: task.tokens, calls: calls.length, iterations: task.iterations },
    hashes: {
      baseTree,
      resultTree,
      tests: [
        ...(resultTree === null || !artifacts.has(resultTree)
          ? []
          : hashTests(artifacts, resultTree, sources.isTestFile)),
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
    notes: [],
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

/** The last word of each reader on each todo. */
function reviewsOf(events: readonly Event[]): Pick<EvidenceDocument, "reviews"> {
  const said = new Map<string, NonNullable<EvidenceDocument["reviews"]>[number]>();
  for (const event of events) {
    if (event.type !== "change-reviewed") continue;
    const { role, todo, ruling, findings } = event;
    said.set(`${todo ?? ""} ${role}`, { role, ...(todo !== undefined && { todo }), ruling, findings });
  }
  return said.size === 0 ? {} : { reviews: [...said.values()] };
}

type EventOf<T extends Event["type"]> = Extract<Event, { type: T }>;

function last<T extends Event["type"]>(events: readonly Event[], type: T): EventOf<T> | undefined {
  const isOf = (event: Event): event is EventOf<T> => event.type === type;
  return events.findLast(isOf);
}

function verdictOf(
  { status, failure }: TaskSummary,
  { speed = [], requirements, carriedBy }: GatheredEvidence,
): EvidenceDocument["verdict"] {
  const unmeasured = speed.filter(({ verdict }) => verdict === "not-measured");
  const reasons = failure
    ? [failure.message]
    : unmeasured.map(({ requirement, why }) => `the speed of ${requirement} was not measured: ${why}`);
  if (failure?.code === "tests.tampered") {
    return { status: "refused", summary: `refused: ${failure.message}`, carriedBy: [], reasons };
  }
  if (status !== "proven" && status !== "checked") {
    const why = status === "not-proven" ? (failure?.message ?? "nothing shows it") : `the task is ${status}`;
    return { status: "not-proven", summary: `not proven: ${why}`, carriedBy: [], reasons };
  }
  const shown = requirements.filter(({ support }) => support !== "none").length;
  const summary =
    status === "proven"
      ? `proven: ${shown} ${shown === 1 ? "requirement" : "requirements"}, each with a test that shows it`
      : "checked: what is accepted as proof passed";
  return { status, summary, carriedBy, reasons };
}

/** The ones that answered; of a role that was never asked, the ones it would have asked. */
function modelsOf(frozen: Frozen, calls: EventOf<"model-called">[]): Record<string, string[]> {
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

function approvalsOf(events: readonly Event[]): EvidenceDocument["approvals"] {
  const answers = new Map(
    events.flatMap((event) => (event.type === "approval-answered" ? [[event.id, event.answer] as const] : [])),
  );
  return events.flatMap((event) =>
    event.type === "approval-requested"
      ? [{ request: event.request, answer: answers.get(event.request.id) ?? null }]
      : [],
  );
}
