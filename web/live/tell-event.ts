import { howAnswered } from "../../src/domain/how-answered.ts";
import type { Event } from "../../src/domain/task/event.ts";
import { count, duration, money, percent, short } from "../parts/figures.ts";

type Tone = "plain" | "quiet" | "good" | "bad" | "ask" | "person";

/** One line of the story. */
export interface FeedLine {
  number: number;
  at: number;
  tone: Tone;
  words: string;
  /** Shown when it is opened. */
  detail?: string;
}

/** An event in one line for people; null where another line says it already. */
export function tell(event: Event): FeedLine | null {
  const told = inWords(event);
  if (told === null) return null;
  const [tone, words, detail] = told;
  return { number: event.number, at: event.at, tone, words, ...(detail !== undefined && detail !== "" && { detail }) };
}

type Told = [tone: Tone, words: string, detail?: string] | null;

function inWords(event: Event): Told {
  switch (event.type) {
    case "task-started":
      return ["plain", "The task begins"];
    case "phase-changed":
      return [
        "quiet",
        `${capital(event.phase)}${event.todo === undefined ? "" : ` ${event.todo}`}${event.iteration > 1 ? `, iteration ${event.iteration}` : ""}`,
      ];
    case "plan-made": {
      const { spec, plan } = event;
      const requirements = spec.requirements.map(({ id, text }) => `${id} ${text}`).join("\n");
      return [
        "plain",
        `Planned: ${spec.title}, ${count(spec.requirements.length, "requirement")}, ${count(plan.todos.length, "todo")}`,
        requirements,
      ];
    }
    case "plan-updated":
      return ["plain", `The plan changed: ${event.why}`];
    case "message-told":
      return ["person", `${event.message.by} says: ${event.message.text}`];
    case "message-heard":
      return ["quiet", "The message was heard"];
    case "contract-made":
      return ["plain", "The architect wrote down what the parts promise each other", event.design];
    case "contract-amended":
      return ["plain", "The architect amended the contract", event.reason];
    case "goal-clarified":
      return ["plain", "The goal was made precise", event.goal];
    case "role-answered":
      return ["plain", `The ${event.role} answered`, JSON.stringify(event.result, null, 2)];
    case "baseline-run":
      return [
        "plain",
        `Before any change: ${event.counts.passed} tests passed, ${event.counts.red} red`,
        event.red.join("\n"),
      ];
    case "tests-written":
      return [
        "plain",
        `${count(event.tests, "test")} written${event.heldOut ? `, and ${event.heldOut} that the coder does not see` : ""}`,
        event.files.join("\n"),
      ];
    case "tests-tidied": {
      const what = event.moved.length === 0 ? "The new tests stay where they are" : "The new tests went to the others";
      return ["plain", what, moves(event.moved)];
    }
    case "obsolete-removed":
      return event.red.length > 0
        ? ["bad", `${count(event.red.length, "obsolete test")} in the result stay red`, event.red.join("\n")]
        : ["plain", `${count(event.removed.length, "obsolete test")} taken out`, event.removed.join("\n")];
    case "model-called": {
      const { inputTokens, outputTokens, costMicros } = event.usage;
      const cost = costMicros === null ? "" : `, ${money(costMicros)}`;
      return [
        "quiet",
        `${capital(event.role)} answered: ${short(inputTokens)} in, ${short(outputTokens)} out${cost}, ${duration(event.durationMs)}`,
        event.model,
      ];
    }
    case "tool-called":
      return [event.ok ? "quiet" : "bad", `${event.tool} ${event.subject}${event.ok ? "" : " failed"}`];
    case "tests-run": {
      const { scope, counts, passed, red, durationMs } = event;
      const what = {
        "red-check": "New tests on the old code",
        visible: "Tests",
        suite: "The whole suite",
        gate: "Gate",
        accept: event.command ?? "Accepted command",
        "held-out": "Unseen tests",
      }[scope];
      const words = `${what}: ${counts.passed} passed, ${counts.red} red, ${duration(durationMs)}`;
      return [
        scope === "red-check" ? "plain" : passed ? "good" : "bad",
        words,
        red.map(({ id, message }) => `${id}\n${message}`).join("\n\n"),
      ];
    }
    case "coverage-measured":
      return event.share === null ? null : ["quiet", `Tests run ${percent(event.share)} of the changed lines`];
    case "evidence-gathered":
      return ["plain", "The evidence is gathered"];
    case "iteration-settled": {
      const { number, outcome, red, summary, failure, reflection } = event.iteration;
      const words = `Iteration ${number} is ${outcome}${outcome === "red" ? `: ${count(red.length, "test")} red` : ""}`;
      return [
        outcome === "green" ? "good" : "bad",
        words,
        [summary, failure?.message, reflection].filter(Boolean).join("\n"),
      ];
    }
    case "warning-raised":
      return ["ask", event.message];
    case "network-refused":
      return ["bad", `No network to ${event.host}:${event.port}: ${event.reason}`];
    case "safety-refused":
      return ["bad", `Refused: ${event.subject}`, event.reasons.map(({ message }) => message).join("\n")];
    case "approval-requested":
      return ["ask", `Asks you: ${event.request.question}`, event.request.detail];
    case "approval-answered":
      return [
        "person",
        `${capital(howAnswered(event.subject, event.answer))} by ${event.answer.by}: ${event.question}`,
        event.answer.reason,
      ];
    case "change-reviewed":
      return [
        event.ruling === "approved" ? "good" : "bad",
        `${capital(event.role)} ${event.ruling} the change${event.findings.length > 0 ? `, ${count(event.findings.length, "finding")}` : ""}`,
        event.findings.map(({ path, line, message }) => `${path}:${line} ${message}`).join("\n"),
      ];
    case "dispute-settled":
      return ["plain", `Dispute about ${event.test}: ${event.ruling}`, event.reason];
    case "memory-recalled":
      return event.shown.length === 0 ? null : ["quiet", `Memory quotes ${count(event.shown.length, "record")}`];
    case "memory-kept":
      return ["quiet", `Memory keeps ${count(event.records.length, "record")}`];
    case "todo-branched":
      return [
        "ask",
        `${event.branch.parent} stays red, the debugger looks: ${event.branch.finding}`,
        event.branch.instructions,
      ];
    case "test-replaced":
      return ["ask", `A test was shown to be at fault and replaced: ${event.replaced.test}`, event.replaced.why];
    case "candidate-chosen":
      return ["plain", `Candidate ${event.chosen} of ${event.candidates.length} was chosen for ${event.todo}`];
    case "todo-settled":
      return [
        event.ok ? "good" : "bad",
        `Todo ${event.todo} is ${event.ok ? "done" : "given up"}`,
        event.failure?.message,
      ];
    case "change-applied":
      return [
        "good",
        `The change stands in ${event.branch === undefined ? "your directory" : `branch ${event.branch}`}`,
        event.files.join("\n"),
      ];
    case "change-undone":
      return ["plain", "The change was taken back", event.files.join("\n")];
    case "task-paused":
      return ["plain", `Paused: ${event.reason}`];
    case "task-settled": {
      const { outcome } = event;
      if (outcome.status === "not-proven")
        return ["bad", `Not proven: ${outcome.failure.message}`, outcome.failure.detail];
      return ["good", outcome.status === "proven" ? "Proven" : "Checked by the commands you accept"];
    }
  }
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

const moves = (moved: { from: string; to: string }[]): string =>
  moved.map(({ from, to }) => `${from} → ${to}`).join("\n");
