import type { RunEnd } from "../../app/run-options.ts";
import { describeFinding } from "../../domain/loop/review.ts";
import { count, elapsed, money, tokens } from "./amounts.ts";
import { evidenceLines, obsoleteLines } from "./evidence-text.ts";
import { EXIT, type ExitCode, exitCodeOfFailure, exitCodeOfOutcome } from "./exit-codes.ts";
import { type Line, line, type Tone } from "./line.ts";
import { fit, printable } from "./printable.ts";
import type { ViewModel } from "./view-model.ts";

const NAMED_FILES = 20;
const NAMED_RED = 3;
const SUMMARY_COLUMNS = 400;
/** Of a requirement less is never said, also where it takes two lines. */
const USUAL_COLUMNS = 94;
/** What a coder may say of the tests that it was to make green. */
const ALL_GREEN = /\ball (the )?tests (are green|pass)/i;

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

interface ResultOptions {
  next?: string[];
  columns?: number;
  /** The person has said what they want otherwise: it is worked in next. */
  isContinued?: boolean;
}

/**
 * What a run came to, for a person: what was done, what shows it, what can be done next, and last, where the eye stops, the
 * verdict in one line.
 */
export function resultLines(
  end: RunEnd,
  view: ViewModel,
  now: number,
  { next = nextSteps(end), columns = USUAL_COLUMNS, isContinued = false }: ResultOptions = {},
): Line[] {
  const { head, tone, detail } = verdict(end, view, isContinued);
  const summaries = view.summaries.filter((summary) => view.obsolete.red.length === 0 || !ALL_GREEN.test(summary));
  const lines = [...summaries.map((summary) => line(`  ${fit(summary, SUMMARY_COLUMNS)}`)), ...detail];
  if (view.evidence)
    lines.push(
      ...evidenceLines(view.evidence, { brief: true, columns: Math.max(USUAL_COLUMNS, columns) - 2 }).map(shownBy),
    );
  lines.push(...obsoleteLines(view.obsolete).map((text) => line(`  ${text}`, "warn")));
  if (view.evidence?.requirements.some(({ support }) => support !== "none"))
    lines.push(line(`  which tests show it: miracle show ${end.task}`, "dim"));
  const open = Object.values(view.findings).flat();
  if (open.length > 0)
    lines.push(line(`  found by readers and left: ${open.map(describeFinding).join(" · ")}`, "warn"));
  const facts = [
    view.tests && !view.evidence ? `${view.tests.passed} passed, ${view.tests.red} red` : "",
    view.iterations > 0 ? `${count(view.iterations, "iteration")}${attempts(view)}` : "",
    view.calls > 0 ? count(view.calls, "model call") : "",
    view.calls > 0 ? tokens(view.tokens) : "",
    view.calls > 0 ? spent(view) : "",
    view.startedAt === null ? "" : elapsed(now - view.startedAt),
  ].filter((fact) => fact !== "");
  if (facts.length > 0) lines.push(line(`  ${facts.join(" · ")}`, "dim"));
  const all = [...lines, ...next.map((step) => line(`  ${step}`)), line(head, tone)];
  return all.map(({ text, tone: meant }) => line(printable(text), meant));
}

/** What shows a requirement is for whoever wants to check: it steps back behind the requirement. */
const shownBy = (text: string): Line => line(`  ${text}`, text.startsWith("   ") ? "dim" : "plain");

/** A free model is not told by a price of nothing. */
const spent = ({ costMicros, costIsPartial }: ViewModel): string =>
  costIsPartial ? (costMicros === 0 ? "no price known" : `${money(costMicros)} and more`) : free(costMicros);
const free = (costMicros: number): string => (costMicros === 0 ? "" : money(costMicros));

interface Verdict {
  head: string;
  tone: Tone;
  /** What else is to be said of it, above. */
  detail: Line[];
}

function verdict(end: RunEnd, view: ViewModel, isContinued: boolean): Verdict {
  const { task } = end;
  const kept = (what: string, detail: Line[] = []): Verdict => ({
    head: `${what}: task ${task}; everything up to here is kept`,
    tone: "warn",
    detail,
  });
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
    if (end.reason === "waiting") return kept("waiting", [line(`  ${end.why ?? ""}`)]);
    return kept(why[end.reason]);
  }
  // Why is on stderr, where every error goes.
  if (end.ended === "failed") return kept("stopped");
  const { outcome } = end;
  const named = view.plan ? `${view.plan.spec.title} (task ${task})` : `task ${task}`;
  if (outcome.status === "not-proven" && outcome.failure.code === "declined.plan")
    return { head: `nothing was done: ${named}: you did not want this plan`, tone: "warn", detail: [] };
  if (outcome.status === "not-proven") {
    const head = `not proven: ${named}: ${outcome.failure.message}; your directory is as it was`;
    return { head, tone: "bad", detail: [] };
  }
  const isProven = outcome.status === "proven";
  const { delivery } = outcome;
  const shown = shownRequirements(view.evidence);
  const where = delivery.applied
    ? view.applied.length === 0
      ? "nothing had to be changed"
      : `${count(view.applied.length, "file")} ${delivery.branch === undefined ? "written" : `on branch ${delivery.branch}`}`
    : {
        "not asked for": "not applied, as you asked",
        "left to the server": "the server writes it into your directory",
        declined: isContinued ? "not applied yet" : "not applied, as you decided",
        conflict: `not applied: ${delivery.failure?.message ?? "files changed meanwhile"}`,
      }[delivery.reason];
  const what = isProven ? "proven" : whyChecked(view.evidence);
  const told = [...(isProven && shown !== "" ? [shown] : []), where].join(", ");
  const said = `${told}${stillRed(view.obsolete.red)}`;
  return {
    head: isProven ? `proven: ${named}: ${said}` : `${what} (task ${task}): ${said}`,
    tone: isProven ? "good" : "warn",
    detail: delivery.applied ? changedFiles(view, delivery.branch) : [],
  };
}

/** What `--max-iterations` limits is the number of each attempt: at a todo, or at mending what unseen tests found. */
const attempts = ({ attempts: { length } }: ViewModel): string => (length > 1 ? ` in ${length} attempts` : "");

/** What the verdict may not keep quiet: `; 2 obsolete tests are red: …`. */
function stillRed(red: string[]): string {
  if (red.length === 0) return "";
  const more = red.length > NAMED_RED ? `, and ${red.length - NAMED_RED} more` : "";
  const are = red.length === 1 ? "is" : "are";
  return `; ${count(red.length, "obsolete test")} ${are} red: ${red.slice(0, NAMED_RED).join(", ")}${more}`;
}

/** `all 7 requirements shown`, or how many of them. */
function shownRequirements(evidence: ViewModel["evidence"]): string {
  const all = evidence?.requirements ?? [];
  if (all.length === 0) return "";
  const shown = all.filter(({ support }) => support !== "none").length;
  if (shown < all.length) return `${shown} of ${count(all.length, "requirement")} shown`;
  return all.length === 1 ? "its requirement shown" : `all ${all.length} requirements shown`;
}

/** What a result rests on that nothing proves. */
function whyChecked(evidence: ViewModel["evidence"]): string {
  const unmeasured = evidence?.speed?.find(({ verdict }) => verdict === "not-measured");
  if (unmeasured) return `checked: the tests are green, the speed of ${unmeasured.requirement} was not measured`;
  if (evidence?.accept.length) return "checked: what you accept as proof passed";
  if (evidence?.requirements.length) return "checked: the tests are green, which proves no goal of this kind";
  return "not checked: no command was given with --accept";
}

function changedFiles({ applied, directory }: ViewModel, branch: string | undefined): Line[] {
  if (applied.length === 0) return [];
  const named = applied.slice(0, NAMED_FILES);
  const more = applied.length - named.length;
  return [
    `  ${count(applied.length, "file")} ${branch === undefined ? `in ${directory}` : `on the new branch ${branch}`}:`,
    ...named.map((file) => `    ${file}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ].map((text) => line(text));
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
  const isConflict = outcome.delivery.reason === "conflict" && outcome.delivery.failure?.code === "apply.conflict";
  return [`see it: miracle diff ${task}, take it: miracle apply ${isConflict ? "--merge " : ""}${task}`];
}
