import type { TestReportDocument } from "../evidence/test-report-document.ts";
import { amendmentDiff } from "../plan/amend-contract.ts";
import { writeBranch, writePlan } from "../plan/write-plan.ts";
import type { Event } from "./event.ts";

/** A file that a role made on the way, beside the code: what was promised, found out, run. */
export interface RoleArtifact {
  path: string;
  content: string;
}

/** Lint, type check and what the person accepts, as the last gate saw them. */
interface GateFacts {
  checks: unknown[];
  accept: unknown[];
}

export interface ArtifactSources {
  task: string;
  events: Event[];
  /** The last run of tests by the gate; null: none yet. */
  report: TestReportDocument | null;
  gate: GateFacts | null;
  skeletons: string;
}

/** What the roles of a task produced, as files. Pure: everything is told by the task's events and its last gate. */
export function roleArtifacts({ task, events, report, gate, skeletons }: ArtifactSources): RoleArtifact[] {
  const last = <Type extends Event["type"]>(type: Type) =>
    events.findLast((event): event is Event & { type: Type } => event.type === type);
  const of = <Type extends Event["type"]>(type: Type) =>
    events.filter((event): event is Event & { type: Type } => event.type === type);
  const json = (path: string, value: unknown): RoleArtifact[] => [
    { path, content: `${JSON.stringify(value, null, 2)}\n` },
  ];
  const made = last("plan-updated") ?? last("plan-made");
  const contract = last("contract-made");
  const amended = of("contract-amended");
  const promised = amended.at(-1)?.contract ?? contract?.contract;
  const failed = of("iteration-settled").filter(({ iteration }) => iteration.outcome !== "green");
  const branches = of("todo-branched").map(({ branch }) => branch);
  // A changed plan may have gone without the parent.
  const planned = branches.filter(({ parent }) => made?.plan.todos.some(({ id }) => id === parent));
  const settled = last("task-settled")?.outcome;
  const failure = settled?.status === "not-proven" ? settled.failure : null;
  const asked = of("approval-requested").filter(({ request }) => request.subject === "question");
  const plan = made && { spec: made.spec, plan: made.plan, relevantFiles: [] };
  return [
    ...(plan
      ? json("todo_list.json", writePlan({ ...plan, size: made.size === "small" ? "small" : "large" }, planned))
      : []),
    ...(promised ? json("contract.json", promised) : []),
    ...(amended.length > 0
      ? [{ path: "contract.diff", content: amended.map(({ edits }) => amendmentDiff(edits)).join("") }]
      : []),
    ...(contract ? [{ path: "design.md", content: `${contract.design.trimEnd()}\n` }] : []),
    ...(skeletons === "" ? [] : [{ path: "test_skeletons.txt", content: `${skeletons.trimEnd()}\n` }]),
    ...(report || gate || last("evidence-gathered")
      ? json("build_report.json", buildReport(task, of, report, gate))
      : []),
    ...(report ? json("test_report.json", report) : []),
    ...(report?.coverage ? json("coverage.json", report.coverage) : []),
    ...(failed.length > 0 || failure
      ? json("failure_report.json", {
          task,
          iterations: failed.map(({ iteration }) => iteration),
          diagnoses: branches.map(writeBranch),
          failure,
        })
      : []),
    ...(asked.length > 0 || failure
      ? json("escalation.json", { task, failure, questions: asked.map(({ request }) => request) })
      : []),
  ];
}

/** What was installed, checked, scanned and tested. */
function buildReport(
  task: string,
  of: <Type extends Event["type"]>(type: Type) => (Event & { type: Type })[],
  report: TestReportDocument | null,
  gate: GateFacts | null,
): object {
  const tools = of("tool-called");
  return {
    task,
    environment: report?.environment ?? null,
    installed: tools.filter(({ tool, ok }) => tool === "add_dependency" && ok).map(({ subject }) => subject),
    commands: tools.filter(({ tool }) => tool === "run_command").map(({ subject, ok }) => ({ command: subject, ok })),
    /** Lint and type check, compared with what they said before. */
    checks: gate?.checks ?? [],
    accepted: gate?.accept ?? [],
    scan: {
      /** Of the finished result; null: it was not scanned yet. */
      findings: of("evidence-gathered").at(-1)?.evidence.scans ?? null,
      refused: of("safety-refused").map(({ what, subject, reasons }) => ({ what, subject, reasons })),
    },
    tests: of("tests-run").findLast(({ scope }) => scope === "gate")?.counts ?? null,
  };
}
