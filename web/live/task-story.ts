import type { Event } from "../../src/domain/task/event.ts";
import { todoOfStrand } from "../../src/domain/task/step-path.ts";
import { type FeedLine, tell } from "./tell-event.ts";

/** Something that took time, for the timeline. */
export interface Span {
  number: number;
  lane: string;
  kind: "model" | "tool" | "tests";
  label: string;
  from: number;
  to: number;
  ok: boolean;
}

export interface TestRun {
  number: number;
  at: number;
  scope: string;
  passed: number;
  red: number;
  skipped: number;
  green: boolean;
  command: string;
}

/** One test by its name, for as long as it was red once. */
export interface SeenTest {
  id: string;
  red: boolean;
  message: string;
  at: number;
}

export interface RoleSums {
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costMicros: number;
  /** Calls of models without a price. */
  unpriced: number;
  durationMs: number;
  models: Set<string>;
}

type Body<T extends Event["type"]> = Extract<Event, { type: T }>;

/**
 * What happened in a task so far, as a page shows it. Events are added once and in order; everything here is made from
 * them alone.
 */
export class TaskStory {
  readonly feed: FeedLine[] = [];
  readonly spans: Span[] = [];
  readonly runs: TestRun[] = [];
  readonly tests = new Map<string, SeenTest>();
  readonly roles = new Map<string, RoleSums>();
  readonly iterations: Body<"iteration-settled">["iteration"][] = [];
  readonly candidates: Body<"candidate-chosen">[] = [];
  readonly waiting = new Set<string>();
  spec: Body<"plan-made">["spec"] | null = null;
  phase = "";
  todo: string | null = null;
  iteration = 0;
  settled: Body<"task-settled">["outcome"] | null = null;
  /** Counts what may have changed the plan, the change or the task's own row: then these are asked for again. */
  planChanges = 0;
  workChanges = 0;
  count = 0;

  add(event: Event): void {
    this.count += 1;
    const line = tell(event);
    if (line) this.feed.push(line);
    switch (event.type) {
      case "plan-made":
      case "plan-updated":
        this.spec = event.spec;
        this.planChanges += 1;
        break;
      case "phase-changed":
        if (event.todo !== undefined && event.todo !== this.todo) this.planChanges += 1;
        this.phase = event.phase;
        this.todo = event.todo ?? null;
        this.iteration = event.iteration;
        break;
      case "todo-branched":
      case "todo-settled":
        this.planChanges += 1;
        break;
      case "candidate-chosen":
        this.candidates.push(event);
        break;
      case "model-called":
        this.#count(event);
        this.#span(event, "model", event.role, true);
        break;
      case "tool-called":
        this.#span(event, "tool", `${event.tool} ${event.subject}`.trim(), event.ok);
        break;
      case "tests-run":
        this.#run(event);
        // New tests must be red on the old code.
        this.#span(
          event,
          "tests",
          event.command ?? `${event.scope} tests`,
          event.passed || event.scope === "red-check",
        );
        break;
      case "iteration-settled":
        this.iterations.push(event.iteration);
        this.workChanges += 1;
        break;
      case "approval-requested":
        this.waiting.add(event.request.id);
        break;
      case "approval-answered":
        this.waiting.delete(event.id);
        break;
      case "task-paused":
      case "change-applied":
      case "change-undone":
        this.planChanges += 1;
        this.workChanges += 1;
        break;
      case "task-settled":
        this.settled = event.outcome;
        this.planChanges += 1;
        this.workChanges += 1;
        break;
    }
  }

  #count({ role, model, usage, durationMs }: Body<"model-called">): void {
    const sums = this.roles.get(role) ?? noSums();
    sums.calls += 1;
    sums.inputTokens += usage.inputTokens;
    sums.cachedTokens += usage.cachedInputTokens;
    sums.outputTokens += usage.outputTokens;
    sums.costMicros += usage.costMicros ?? 0;
    sums.unpriced += usage.costMicros === null ? 1 : 0;
    sums.durationMs += durationMs;
    sums.models.add(model);
    this.roles.set(role, sums);
  }

  /** An event is told when what it tells of has ended. */
  #span(event: Event & { durationMs: number }, kind: Span["kind"], label: string, ok: boolean): void {
    const { number, at, step, durationMs } = event;
    this.spans.push({ number, lane: laneOf(step), kind, label, from: at - durationMs, to: at, ok });
  }

  /** A run tells only its red tests: of those that it could have run, the others are green now. */
  #run(event: Body<"tests-run">): void {
    const { number, at, scope, counts, passed, command, red } = event;
    this.runs.push({ number, at, scope, ...counts, green: passed, command: command ?? "" });
    if (scope === "held-out" || scope === "accept") return;
    const isRed = new Set(red.map(({ id }) => id));
    for (const { id, message } of red) this.tests.set(id, { id, red: true, message, at });
    const ranAll = counts.passed + counts.red >= this.tests.size;
    if (!ranAll && !passed) return;
    for (const test of this.tests.values()) {
      if (test.red && !isRed.has(test.id)) this.tests.set(test.id, { ...test, red: false, at });
    }
  }
}

const noSums = (): RoleSums => ({
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costMicros: 0,
  unpriced: 0,
  durationMs: 0,
  models: new Set(),
});

/** A lane for each todo and each of its candidates, and one for everything else. */
export function laneOf(step: string): string {
  const todo = todoOfStrand(step);
  if (todo === undefined) return "task";
  const [, candidate] = /\/candidate:(\d+)\//.exec(step) ?? [];
  return candidate === undefined ? todo : `${todo}, candidate ${candidate}`;
}
