import { howAnswered } from "../../domain/how-answered.ts";
import { describeFinding } from "../../domain/loop/review.ts";
import { isNote } from "../../domain/plan/amendment.ts";
import type { Event } from "../../domain/task/event.ts";
import { count, elapsed, money, tokens } from "./amounts.ts";
import { printable } from "./printable.ts";
import { undoneText } from "./undone-text.ts";

/** An event as one plain line, or null when it says nothing to a person who reads along. */
export function eventLine(event: Event): string | null {
  const line = describe(event);
  return line === null ? null : printable(line);
}

function describe(event: Event): string | null {
  switch (event.type) {
    case "task-started":
      return `task ${event.task} in ${event.directory}`;
    case "phase-changed": {
      if (ENDS.has(event.phase)) return null; // What settled says it.
      const iteration = event.iteration > 0 ? `, iteration ${event.iteration}` : "";
      return `${event.phase}${event.todo === undefined ? "" : ` ${event.todo}`}${iteration}`;
    }
    case "plan-made": {
      const { spec, plan } = event;
      return `plan: ${spec.title} (${event.size}, ${count(spec.requirements.length, "requirement")}, ${count(plan.todos.length, "todo")})`;
    }
    case "message-told":
      return `${event.message.by} says: ${shortened(event.message.text)}`;
    case "message-heard":
      return `heard: ${shortened(event.message.text)}`;
    case "plan-updated": {
      const { amendment, why } = event;
      const what = !amendment ? "plan updated" : isNote(amendment) ? "told to the coder" : "spec amended";
      return `${what}: ${shortened(why)}`;
    }
    case "contract-made": {
      const { functions, classes, models, errors, openapi } = event.contract;
      const promised = functions.length + classes.length + models.length + errors.length;
      return `contract: ${count(promised, "promise")}${openapi ? " and an OpenAPI document" : ""}`;
    }
    case "contract-amended":
      return `contract amended by its architect: ${shortened(event.reason)}`;
    case "goal-clarified": {
      const open = event.asked.filter(({ answer }) => answer === "").map(({ assumption }) => assumption);
      const assumed = open.length === 0 ? "" : `; assumed: ${open.join(" · ")}`;
      return `the goal was vague and is now: ${event.goal.replace(/\s+/g, " ")}${assumed}`;
    }
    case "role-answered":
      if (event.role === "planner") return null; // The answer to a question is the result.
      return `${event.role} answered: ${shortened(JSON.stringify(event.result))}`;
    case "baseline-run":
      return `the project's own tests before any change: ${counts(event.counts)}`;
    case "tests-written":
      return `${count(event.tests, "test")} written: ${event.files.join(", ")}${event.heldOut ? `, and ${event.heldOut} that the coder does not see` : ""}`;
    case "tests-tidied":
      if (event.moved.length === 0) return null;
      return `the new tests now stand in ${[...new Set(event.moved.map(({ to }) => to))].join(", ")}`;
    case "obsolete-removed":
      return [
        ...(event.removed.length > 0 ? [`obsolete tests taken out: ${event.removed.join(", ")}`] : []),
        ...(event.red.length > 0 ? [`obsolete tests that stay and are red: ${event.red.join(", ")}`] : []),
      ].join("; ");
    case "model-called": {
      const { usage } = event;
      const spent = [
        tokens(usage.inputTokens + usage.outputTokens),
        ...(usage.costMicros === 0 ? [] : [money(usage.costMicros)]),
        elapsed(event.durationMs),
      ];
      const again = event.attempts > 1 ? `, attempt ${event.attempts}` : "";
      return `${event.role} asked ${event.model}: ${spent.join(", ")}${again}`;
    }
    case "tool-called":
      if (event.tool === "run_tests" && event.ok) return null; // What the run found says it.
      return `${event.ok ? "" : "failed: "}${event.tool} ${event.subject}`;
    case "tests-run":
      return testsLine(event);
    case "coverage-measured":
    case "evidence-gathered":
      return null;
    case "iteration-settled": {
      const { number, outcome, failure, reflection } = event.iteration;
      if (outcome === "green") return null;
      return `iteration ${number} ${outcome}: ${reflection ?? failure?.message ?? ""}`;
    }
    case "warning-raised":
      // The retry itself was shown when it happened.
      return event.code === "model.retry" ? null : `warning: ${event.message}`;
    case "network-refused":
      return `refused: network to ${event.host}:${event.port} (${event.reason})`;
    case "safety-refused": {
      const why = event.reasons.map(({ rule }) => rule).join(", ");
      return `refused: ${event.what === "code" ? `to run ${event.subject}` : event.subject} (${why})`;
    }
    case "approval-requested":
      return `asks: ${event.request.question} (${event.request.id})`;
    case "approval-answered": {
      const { by, reason } = event.answer;
      return `${howAnswered(event.subject, event.answer)} by ${by}: ${event.question}${reason === "" ? "" : `: ${reason}`}`;
    }
    case "change-reviewed": {
      const found = event.findings.map(describeFinding);
      const what = found.length === 0 ? "nothing found" : `${count(found.length, "finding")}: ${found.join(" · ")}`;
      return `${event.role} ${event.ruling} the change: ${what}`;
    }
    case "dispute-settled":
      return `dispute about a test of ${event.requirement}: ${event.ruling === "upheld" ? "the spec says what it asserts" : "void"}: ${event.reason}`;
    case "memory-recalled":
      return event.shown.length === 0 ? null : `memory: ${count(event.shown.length, "record")} shown`;
    case "memory-kept":
      return null; // `miracle memory list` shows them.
    case "todo-branched":
      return `debugger: ${event.branch.parent} is red by ${event.branch.reason.replace("_", " ")}: ${event.branch.finding}`;
    case "test-replaced": {
      const { test, why, by } = event.replaced;
      return `test replaced: ${test} (${why}), now ${by.join(", ")}`;
    }
    case "candidate-chosen": {
      const told = event.candidates.map(
        ({ number, green, unseenRed, changedLines }) =>
          `${number} ${green ? "green" : "red"}${unseenRed === null ? "" : `, ${unseenRed} unseen red`}, ${count(changedLines, "line")}`,
      );
      return `candidate ${event.chosen} of ${event.candidates.length} for ${event.todo}: ${told.join("; ")}`;
    }
    case "todo-settled":
      return `todo ${event.todo} ${event.ok ? "done" : `failed${event.failure ? `: ${event.failure.message}` : ""}`}`;
    case "change-applied":
      return `${count(event.files.length, "file")} ${event.branch === undefined ? `written in ${event.directory}` : `on the new branch ${event.branch}`}`;
    case "change-undone":
      return undoneText(event);
    case "task-paused":
      return `paused: ${event.reason}`;
    case "task-settled":
      return null; // The result says it.
  }
}

/** Phases that another event reports. */
const ENDS = new Set(["success", "failed", "proven", "checked", "not-proven"]);

const SHOWN_WORDS = 200;

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= SHOWN_WORDS ? line : `${line.slice(0, SHOWN_WORDS)}…`;
};

function testsLine(event: Event & { type: "tests-run" }): string {
  const { scope, passed, ending, command } = event;
  const stopped = ending === "timeout" || ending === "resource-limit" ? `stopped (${ending})` : "";
  if (scope === "accept") return `verifier: $ ${command ?? ""}: ${stopped || (passed ? "passed" : "failed")}`;
  if (scope === "red-check") {
    const expected = event.counts.passed === 0 && !stopped ? " (expected: the code is not there yet)" : "";
    return `new tests before the change: ${stopped || counts(event.counts)}${expected}`;
  }
  const who = { visible: "tests", suite: "tests", gate: "verifier", "held-out": "verifier, unseen tests" }[scope];
  const told = `${counts(event.counts)}${excused(event)}`;
  const verdict = stopped === "" ? told : `${stopped}, ${told}`;
  return `${who}: ${verdict}`;
}

/** Why red tests do not keep a change from being green. */
function excused({ excused: of, counts: { red } }: Event & { type: "tests-run" }): string {
  const said = [
    ...(of && of.obsolete > 0 ? [`${of.obsolete} obsolete by the goal`] : []),
    ...(of && of.before > 0 ? [`${of.before} red before the change, too`] : []),
  ];
  if (said.length === 0) return "";
  const counted = (of?.obsolete ?? 0) + (of?.before ?? 0);
  return ` (${counted < red ? "of these " : ""}${said.join(", ")})`;
}

const counts = ({ passed, red, skipped }: { passed: number; red: number; skipped: number }): string =>
  `${passed} passed, ${red} red${skipped > 0 ? `, ${skipped} skipped` : ""}`;
