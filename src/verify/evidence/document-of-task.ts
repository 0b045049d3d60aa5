import { EVIDENCE_FORMAT, type EvidenceDocument, suiteRunOf } from "../../domain/evidence/evidence-document.ts";
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
import { hashTests } from "./hash-tests.ts";
import { recordedRuns } from "./recorded-runs.ts";
import { testsOfTask } from "./task-tests.ts";

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
  const evidence = last(events, "evidence-gathered")?.evidence ?? null;
  const spec = currentPlan(events)?.spec;
  const quotes = new Map(spec?.requirements.map(({ id, quote }) => [id, quote]));
  const calls = events.filter((event) => event.type === "model-called");
  const models = modelsOf(frozen, calls);
  const { baseTree } = task;
  const resultTree = evidence?.tree ?? task.resultTree;
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
    requirements: (evidence?.requirements ?? []).map(({ tests, id, text, assumption, support, unmeasured }) => {
      const quote = quotes.get(id);
      return {
        text,
        assumption,
        support,
        id,
        ...(quote !== undefined && { quote }),
        ...(unmeasured !== undefined && { unmeasured }),
        tests: tests.map((test) => test.id),
      };
    }),
    tests: testsOfTask(evidence, runs),
    suite: runs.gate && {
      command: runs.gate.command,
      before: suiteRunOf(runs.baseline),
      after: suiteRunOf(runs.gate),
    },
    accept: (evidence?.accept ?? []).map(({ command, passed, ending }) => ({ command, after: { passed, ending } })),
    ...(runs.checks.length > 0 && { checks: runs.checks }),
    integrity: (evidence?.tampering ?? []).map((path) => ({
      code: "tests.tampered",
      weight: "named",
      path,
      message: "was changed by the coder and put back",
    })),
    mutants: runs.measured?.mutants ?? null,
    ...(evidence?.speed && { speed: evidence.speed }),
    ...(evidence?.sharpened && { sharpened: evidence.sharpened }),
    coverage: runs.measured?.coverage ?? null,
    flakes: runs.measured?.flakes ?? null,
    scans: runs.scan && runs.scan.tree === resultTree ? runs.scan.findings : null,
    approvals: approvalsOf(events),
    disputes: evidence?.disputes ?? [],
    ...(evidence?.amended && { amended: evidence.amended }),
    ...(evidence?.replaced && { replaced: evidence.replaced }),
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
    notChecked: runs.measured && runs.measured.why !== "" ? [{ check: "mutants", why: runs.measured.why }] : [],
  };
  return { document, unseen };
}

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

function verdictOf({ status, failure }: TaskSummary, evidence: GatheredEvidence | null): EvidenceDocument["verdict"] {
  const unmeasured = (evidence?.speed ?? []).filter(({ verdict }) => verdict === "not-measured");
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
  const shown = evidence?.requirements.filter(({ support }) => support !== "none").length ?? 0;
  const accepted = evidence?.accept.length ?? 0;
  const summary =
    status === "proven"
      ? `proven: ${shown} ${shown === 1 ? "requirement" : "requirements"}, each with a test that shows it`
      : "checked: what is accepted as proof passed";
  const carriedBy: EvidenceDocument["verdict"]["carriedBy"] = evidence?.carriedBy ?? [
    ...(accepted > 0 ? (["accept"] as const) : []),
    ...(shown > 0 ? (["model-tests"] as const) : []),
  ];
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
