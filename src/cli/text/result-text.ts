import type { RunEnd } from "../../app/run-options.ts";
import { describeFinding } from "../../domain/loop/review.ts";
import { count, elapsed, money, tokens } from "./amounts.ts";
import { evidenceLines } from "./evidence-text.ts";
import { EXIT, type ExitCode, exitCodeOfFailure, exitCodeOfOutcome } from "./exit-codes.ts";
import { fit, printable } from "./printable.ts";
import type { ViewModel } from "./view-model.ts";

const NAMED_FILES = 20;
const SUMMARY_COLUMNS = 400;

export function exitCodeOfRun(end: RunEnd): ExitCode {
  switch (end.ended) {
    case "settled":
      return exitCodeOfOutcome(end.outcome);
    case "failed":
      return exitCodeOfFailure(end.failure);
    case "stopped":
      if (end.reason === "waiting") return EXIT.waiting;
      if (end.reason === "planned" || end.reason === "answered") return EXIT.done;
      return end.reason === "timeout" || end.reason === "silent" ? EXIT.limit : EXIT.interrupted;
  }
}

/** What a run came to, for a person: the verdict first, then what it rests on, then what can be done next. */
export function resultText(end: RunEnd, view: ViewModel, now: number, next: string[] = nextSteps(end)): string {
  const [head = "", ...rest] = verdict(end, view);
  const lines = [head, ...view.summaries.map((summary) => `  ${fit(summary, SUMMARY_COLUMNS)}`), ...rest];
  if (view.evidence) lines.push(...evidenceLines(view.evidence).map((line) => `  ${line}`));
  const open = Object.values(view.findings).flat();
  if (open.length > 0) lines.push(`  found by readers and left: ${open.map(describeFinding).join(" · ")}`);
  const facts = [
    view.tests && !view.evidence ? `${view.tests.passed} passed, ${view.tests.red} red` : "",
    view.iterations > 0 ? count(view.iterations, "iteration") : "",
    view.calls > 0 ? count(view.calls, "model call") : "",
    view.calls > 0 ? tokens(view.tokens) : "",
    view.calls > 0 ? (view.costIsPartial && view.costMicros === 0 ? "no price" : money(view.costMicros)) : "",
    view.startedAt === null ? "" : elapsed(now - view.startedAt),
  ].filter((fact) => fact !== "");
  if (facts.length > 0) lines.push(`  ${facts.join(" · ")}`);
  return `${[...lines, ...next.map((step) => `  ${step}`)].map(printable).join("\n")}\n`;
}

function verdict(end: RunEnd, view: ViewModel): string[] {
  const { task } = end;
  if (end.ended === "stopped") {
    const why = {
      interrupted: "stopped",
      paused: "paused",
      cancelled: "cancelled",
      timeout: "out of time",
      silent: "stopped by the watchdog (limits.silence): it neither took a step nor told anything",
      planned: "planned",
      answered: "answered",
    };
    if (end.reason === "waiting") return [`waiting: task ${task}; everything up to here is kept`, `  ${end.why ?? ""}`];
    return [`${why[end.reason]}: task ${task}; everything up to here is kept`];
  }
  // Why is on stderr, where every error goes.
  if (end.ended === "failed") return [`stopped: task ${task}; everything up to here is kept`];
  const { outcome } = end;
  if (outcome.status === "not-proven") {
    return [`not proven: task ${task}: ${outcome.failure.message}`, "  nothing was changed in your directory"];
  }
  const what = outcome.status === "proven" ? "proven" : whyChecked(view.evidence);
  const { delivery } = outcome;
  if (delivery.applied) return [`${what}: task ${task}`, ...changedFiles(view, delivery.branch)];
  const why = {
    "not asked for": "not applied, as you asked",
    declined: "not applied, as you decided",
    conflict: `not applied: ${delivery.failure?.message ?? "files changed meanwhile"}`,
  };
  return [`${what}: task ${task}`, `  ${why[delivery.reason]}`];
}

/** What a result rests on that nothing proves. */
function whyChecked(evidence: ViewModel["evidence"]): string {
  const unmeasured = evidence?.speed?.find(({ verdict }) => verdict === "not-measured");
  if (unmeasured) return `checked: the tests are green, the speed of ${unmeasured.requirement} was not measured`;
  if (evidence?.accept.length) return "checked: what you accept as proof passed";
  if (evidence?.requirements.length) return "checked: the tests are green, which proves no goal of this kind";
  return "not checked: no command was given with --accept";
}

function changedFiles({ applied, directory }: ViewModel, branch: string | undefined): string[] {
  if (applied.length === 0) return ["  nothing had to be changed"];
  const named = applied.slice(0, NAMED_FILES);
  const more = applied.length - named.length;
  return [
    `  ${count(applied.length, "file")} ${branch === undefined ? `in ${directory}` : `on the new branch ${branch}`}:`,
    ...named.map((file) => `    ${file}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

function nextSteps(end: RunEnd): string[] {
  const { task } = end;
  if (end.ended === "stopped" && end.reason === "waiting") {
    return ["see all questions: miracle approvals", `when it is answered: miracle resume ${task}`];
  }
  if (end.ended !== "settled") {
    if (end.ended === "stopped" && end.reason === "cancelled") return [];
    // The limit is the task's, so without more of it a resume would stop at once.
    const more = end.ended === "stopped" && end.reason === "timeout" ? " --timeout DURATION (for all of its work)" : "";
    return [`go on with: miracle resume ${task}${more}`];
  }
  const { outcome } = end;
  if (outcome.status === "not-proven") {
    if (outcome.tree === null) return [`what happened: miracle show ${task}`];
    return [`best attempt: miracle diff ${task}, take it all the same: miracle apply --unproven ${task}`];
  }
  if (outcome.delivery.applied) return [`see it: miracle diff ${task}, take it back: miracle undo ${task}`];
  return [`see it: miracle diff ${task}, take it: miracle apply ${task}`];
}
