import { type Delta, isDelta } from "../../bus/bus.ts";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { isReview, type ReviewFinding } from "../../domain/loop/review.ts";
import type { Event } from "../../domain/task/event.ts";
import { PLAN_EVENTS, type PlanState, planState } from "../../domain/task/plan-state.ts";
import { attemptStrand, isMending } from "../../domain/task/step-path.ts";
import type { TaskOutcome } from "../../domain/task/task.ts";
import type { GrowingDiff } from "./growing-diff.ts";

/** What the live view shows: a pure function of the messages so far. */
export interface ViewModel {
  task: string;
  goal: string;
  directory: string;
  startedAt: number | null;
  phase: string;
  iteration: number;
  /** Finished iterations of all todos. */
  iterations: number;
  /** The attempts that they belong to: their number is limited in each. */
  attempts: string[];
  /** What unseen tests found is mended: an attempt of its own. */
  isMending: boolean;
  /** The todo that is worked on, and how many are done of how many. */
  todo: string | null;
  todos: { done: number; all: number };
  /** The plan as it is now, and the events that say so. */
  plan: PlanState | null;
  planEvents: Event[];
  tests: { passed: number; red: number; skipped: number } | null;
  tokens: number;
  costMicros: number;
  /** A model without a price was used: the cost is only a part. */
  costIsPartial: boolean;
  calls: number;
  model: string;
  tool: { name: string; subject: string; ok: boolean } | null;
  /** The end of what a model is writing. */
  text: string;
  /** A request that is under way: whom it went to, and when something was last heard. */
  awaited: { model: string; heardAt: number; patienceMs: number } | null;
  /** Long work of ours: what it is, how far it is, and since when. */
  progress: { text: string; done: number; of: number; since: number; at: number } | null;
  /** What the coder has changed so far. */
  growth: GrowingDiff | null;
  /** What the coder said of each todo that is done. */
  summaries: string[];
  /** What reviewer and auditor found in the last change of each todo. */
  findings: Record<string, ReviewFinding[]>;
  applied: string[];
  /** How many tests that the coder did not see could be kept with the result. */
  keepable: number;
  /** Obsolete tests that were red on the result: taken out, or still in it. */
  obsolete: { removed: string[]; red: string[] };
  evidence: GatheredEvidence | null;
  outcome: TaskOutcome | null;
}

const TEXT_KEPT = 1000;

export const emptyView: ViewModel = {
  task: "",
  goal: "",
  directory: "",
  startedAt: null,
  phase: "init",
  iteration: 0,
  iterations: 0,
  attempts: [],
  isMending: false,
  todo: null,
  todos: { done: 0, all: 0 },
  plan: null,
  planEvents: [],
  tests: null,
  tokens: 0,
  costMicros: 0,
  costIsPartial: false,
  calls: 0,
  model: "",
  tool: null,
  text: "",
  awaited: null,
  progress: null,
  growth: null,
  summaries: [],
  findings: {},
  applied: [],
  keepable: 0,
  obsolete: { removed: [], red: [] },
  evidence: null,
  outcome: null,
};

export function reduceView(view: ViewModel, message: Event | Delta): ViewModel {
  if (isDelta(message)) return reduceDelta(view, message);
  const next = withPlan({ ...view, task: message.task, startedAt: view.startedAt ?? message.at }, message);
  switch (message.type) {
    case "task-started":
      return { ...next, goal: message.goal, directory: message.directory };
    case "phase-changed": {
      // A green todo is not the end: the proof follows, or the next todo, whose own event says so.
      const phase = message.phase === "success" ? "proving" : message.phase;
      return {
        ...next,
        phase,
        iteration: message.iteration,
        isMending: isMending(message.step),
        todo: message.todo ?? next.todo,
        text: "",
        tool: null,
        progress: null,
      };
    }
    case "model-called": {
      const { usage, model } = message;
      return {
        ...next,
        model,
        calls: next.calls + 1,
        tokens: next.tokens + usage.inputTokens + usage.outputTokens,
        costMicros: next.costMicros + (usage.costMicros ?? 0),
        costIsPartial: next.costIsPartial || usage.costMicros === null,
        text: "",
        awaited: null,
      };
    }
    case "tool-called":
      return { ...next, tool: { name: message.tool, subject: message.subject, ok: message.ok } };
    case "baseline-run":
    case "tests-run":
      return { ...next, tests: message.counts };
    case "iteration-settled": {
      const { outcome, summary, failure } = message.iteration;
      // A change that a reviewer rejected stays in the tree and is fixed, so its summary counts.
      const stays = outcome === "green" || (failure !== undefined && isReview(failure));
      const said = stays && summary !== undefined ? [summary] : [];
      const attempts = [...new Set([...next.attempts, attemptStrand(message.step) ?? ""])];
      return { ...next, iterations: next.iterations + 1, attempts, summaries: [...next.summaries, ...said] };
    }
    case "change-reviewed": {
      const { role, todo = "", findings } = message;
      return { ...next, findings: { ...next.findings, [`${todo} ${role}`]: findings } };
    }
    case "tests-tidied":
      return { ...next, keepable: message.more };
    case "obsolete-removed":
      return { ...next, obsolete: { removed: message.removed, red: message.red } };
    case "evidence-gathered":
      return { ...next, evidence: message.evidence };
    case "change-applied":
      return { ...next, applied: message.files };
    case "task-settled":
      return { ...next, outcome: message.outcome, phase: message.outcome.status, text: "", progress: null };
    default:
      return next;
  }
}

function reduceDelta(view: ViewModel, message: Delta): ViewModel {
  switch (message.type) {
    case "notice":
    case "tree-changed": // Who watches makes the diff: `task/watch-diff.ts`.
      return view;
    case "model-delta":
      return { ...view, text: (view.text + message.text).slice(-TEXT_KEPT) };
    case "model-heard": {
      const { model, patienceMs, at } = message;
      // Who counted to the end waits for the model now.
      const isOver = view.progress !== null && view.progress.of > 0 && view.progress.done === view.progress.of;
      return { ...view, awaited: { model, patienceMs, heardAt: at }, progress: isOver ? null : view.progress };
    }
    case "progress": {
      const { text, done, of, at } = message;
      const before = view.progress?.text === text && view.progress.of === of ? view.progress : null;
      return { ...view, progress: { text, done: Math.min(done, of), of, since: before?.since ?? at, at } };
    }
  }
}

const ABOUT_PLANS: ReadonlySet<string> = new Set(PLAN_EVENTS);

/** The same state of the plan as every other view has, so that no counter passes its end. */
function withPlan(view: ViewModel, event: Event): ViewModel {
  if (!ABOUT_PLANS.has(event.type)) return view;
  const planEvents = [...view.planEvents, event];
  const plan = planState(planEvents, "running");
  if (!plan) return { ...view, planEvents };
  const done = plan.todos.filter(({ state }) => state === "done").length;
  return { ...view, planEvents, plan, todos: { done, all: plan.todos.length } };
}
