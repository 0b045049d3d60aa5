import { z } from "zod";
import { briefCoder, briefReflector, briefReplanner, type ProjectView } from "../agents/briefing.ts";
import { CoderResult, PlannerResult, ReflectorResult } from "../agents/finish.ts";
import type { ShownFile } from "../agents/shown-files.ts";
import { type Difficulty, difficultyOf } from "../domain/difficulty.ts";
import type { EventBody } from "../domain/event.ts";
import { type Failure, isOutside, TerminalFailure } from "../domain/failure.ts";
import type { HeldOutTest } from "../domain/held-out.ts";
import { distance, Iteration } from "../domain/iteration.ts";
import { type LoopLimits, type LoopOutcome, LoopState, transition } from "../domain/loop.ts";
import type { Todo } from "../domain/plan.ts";
import type { ReviewRole } from "../domain/review.ts";
import type { Spec } from "../domain/spec.ts";
import type { TestFile } from "../domain/test-file.ts";
import type { TestReport } from "../domain/test-report.ts";
import type { Strand } from "../journal/strand.ts";
import type { Language } from "../languages/language.ts";
import { failureOf, type GateRun, judge, type Verdict } from "../verify/gate.ts";
import { specText } from "../verify/held-out/quote.ts";
import type { ProjectCheck } from "../verify/project-checks.ts";
import { askRole } from "./ask-role.ts";
import { bounded, describeVerdict } from "./describe-red.ts";
import { keepingContract } from "./keep-contract.ts";
import type { EngineParts } from "./parts.ts";
import { route } from "./recover.ts";
import { type Met, TodoMemory } from "./remember-todo.ts";
import { isReview, Reviews } from "./review-change.ts";
import { readable, whoIs } from "./role-scopes.ts";
import { type GateOptions, runGate } from "./run-gate.ts";
import type { TodoGuard } from "./todo-limits.ts";
import { Workbench } from "./workbench.ts";

export interface TodoWork {
  /** Absent with `--direct`. */
  spec?: Spec;
  todo?: Todo;
  /** Triage took it for a small goal. */
  small: boolean;
  project: ProjectView;
  /** Files the work is about, as they are in `tree`. */
  files: ShownFile[];
  language: Language | null;
  /** Tests that must be green when this todo is done. */
  tests: TestFile[];
  baseline: TestReport | null;
  accept: string[];
  checks?: ProjectCheck[];
  /** Tests of the suite that are flaky without any change. */
  quarantined?: string[];
  /** Ids of tests that were fixed before coding. */
  ids?: string[];
  /** The tree to start from, tests included. */
  tree: string;
  /** What is known before the first iteration. */
  notes?: string[];
  /** With it, everything that the plan promises must be there. */
  whole?: boolean;
  /** Tests that the coder never sees, for a choice between several finished changes only. */
  unseen?: UnseenOfTodo;
  /** Fewer iterations than the task's limit. */
  maxIterations?: number;
  /** Errors of earlier attempts, which this one may mend. */
  met?: Met[];
  /** Names the work where it is no todo of the plan. */
  name?: string;
  guard?: TodoGuard;
}

export interface UnseenOfTodo {
  files: TestFile[];
  tests: HeldOutTest[];
  /** The tree that the task started from. */
  before: string;
}

export interface TodoResult {
  settled: { ok: true } | { ok: false; failure: Failure };
  tree: string;
  iterations: Iteration[];
  run: GateRun | null;
  /** What the coder did to tests or their configuration; it was undone. */
  tampering: string[];
  /** Unseen tests that chose between candidates. */
  spent?: string[];
  /** Errors that nothing has mended. */
  met?: Met[];
}

const REFLECTOR_TURNS = 8;
/** In the place of a reflection that gave nothing. */
const UNEXPLAINED: ReflectorResult = {
  cause: "no cause was found",
  hypothesis: "read the red tests and the code they run again",
  next: "code",
};
/** A small goal that is still red after this many iterations was not small: it is planned anew. */
const ESCALATE_AFTER = 2;

/** The loop over one todo: code → test → reflect, as the state machine says, until it is green or given up. */
export async function runTodo(strand: Strand, parts: EngineParts, work: TodoWork): Promise<TodoResult> {
  const loop = new TodoLoop(strand, parts, work);
  for (;;) {
    const { state } = loop;
    if (state.phase === "success") return loop.result({ ok: true });
    if (state.phase === "failed") return loop.result({ ok: false, failure: state.failure });
    try {
      await work.guard?.(strand, state);
      await takePhase(loop, state);
    } catch (error) {
      // What cannot be gone on from ends the todo, and the best attempt is kept.
      if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
      await loop.advance({ type: "stopped", failure: error.failure });
    }
  }
}

async function takePhase(loop: TodoLoop, state: LoopState): Promise<void> {
  switch (state.phase) {
    case "init":
      return loop.advance({ type: "started" });
    case "planning":
      if (state.iteration > 0) await loop.replan(state.iteration);
      return loop.advance({ type: "planned" });
    case "coding":
      return loop.code(state.iteration);
    case "review":
      return loop.review("reviewer", state.iteration);
    case "audit":
      return loop.review("auditor", state.iteration);
    case "testing":
      return loop.test(state.iteration);
    case "reflecting":
      return loop.reflect(state.iteration, state.failure);
  }
}

const PhaseEntered = z.object({ state: LoopState, iteration: Iteration.optional() });

class TodoLoop {
  state: LoopState = { phase: "init" };
  readonly #strand: Strand;
  readonly #parts: EngineParts;
  readonly #work: TodoWork;
  readonly #limits: LoopLimits;
  readonly #iterations: Iteration[] = [];
  readonly #notes: string[];
  readonly #tampering: string[] = [];
  readonly #reviews: Reviews;
  readonly #memory: TodoMemory;
  #tree: string;
  #run: GateRun | null = null;
  #verdict: Verdict | null = null;
  #tokens = 0;
  #summary = "";
  /** The change that the last reflection was about. */
  #reflectedOn = "";
  #startedAt: number;

  constructor(strand: Strand, parts: EngineParts, work: TodoWork) {
    this.#strand = strand;
    this.#parts = parts;
    this.#work = work;
    this.#tree = work.tree;
    this.#notes = [...(work.notes ?? [])];
    this.#startedAt = parts.clock();
    this.#memory = new TodoMemory(strand, parts, {
      name: nameOf(work),
      ...(work.todo &&
        work.name === undefined && { about: `${parts.journal.frozen.request.goal}\n${work.todo.title}` }),
      language: work.language?.name ?? "",
      tree: work.tree,
      met: work.met ?? [],
    });
    const { settings } = parts.journal.frozen;
    const { limits } = settings;
    this.#limits = {
      maxIterations: Math.min(limits.maxIterations, work.maxIterations ?? limits.maxIterations),
      warnAt: limits.warnAtIteration,
      review: settings.review === true,
      audit: settings.audit === true,
    };
    this.#reviews = new Reviews(strand, parts);
  }

  result(settled: TodoResult["settled"]): TodoResult {
    const tree = settled.ok ? this.#tree : this.#bestTree();
    const { met } = this.#memory;
    return { settled, tree, iterations: this.#iterations, run: this.#run, tampering: this.#tampering, met };
  }

  /** What is kept of work that did not succeed: the latest of the trees that came closest to green. */
  #bestTree(): string {
    const closest = Math.min(...this.#iterations.map(distance));
    return this.#iterations.findLast((iteration) => distance(iteration) === closest)?.tree ?? this.#tree;
  }

  /** Enters the next phase: a checkpoint that a resume can go on from, with everything that happened in the last one. */
  async advance(outcome: LoopOutcome, settled?: Omit<Iteration, "durationMs">): Promise<void> {
    const next = transition(this.state, outcome, this.#limits);
    const todo = this.#work.todo?.id;
    const entered = await this.#strand.step(
      {
        kind: "checkpoint",
        name: "phase",
        input: { from: this.state, outcome, tree: this.#tree, settled },
        output: PhaseEntered,
        // Pure: after a power cut it is found again. The next model call or delivery makes it durable.
        durable: false,
      },
      async ({ emit }) => {
        const iteration = settled && { ...settled, durationMs: this.#parts.clock() - this.#startedAt };
        for (const event of eventsOf(next, todo, iteration)) emit(event);
        return { state: next.state, ...(iteration && { iteration }) };
      },
    );
    if (entered.iteration) this.#iterations.push(entered.iteration);
    this.state = entered.state;
  }

  /** The approach did not work: the planner, who sees what was tried, says how else to go about it. The tests stay. */
  async replan(iteration: number): Promise<void> {
    const { request } = this.#parts.journal.frozen;
    const red = this.#verdict ? describeVerdict(this.#verdict) : "";
    const conclusion = await askRole(this.#parts, {
      strand: this.#strand,
      name: `iteration:${iteration}/plan`,
      role: "planner",
      briefing: [
        briefReplanner({
          spec: this.#work.spec,
          goal: request.goal,
          project: this.#work.project,
          change: this.#reflectedOn,
          red,
          notes: this.#notes,
          recalled: this.#memory.text,
        }),
      ],
      result: PlannerResult.transform(({ todos }) => todos.map((todo) => todo.title).join("\n")),
      workbench: new Workbench(this.#parts, "read", this.#work.language, this.#tree, []),
      maxTurns: REFLECTOR_TURNS,
      onText: (text) => text.trim() || undefined,
      onTokens: (tokens) => this.#count(tokens),
    });
    if (conclusion.ended === "turns") return;
    this.#notes.push(`Another approach, after iteration ${iteration}:\n${conclusion.result}`);
  }

  async code(iteration: number): Promise<void> {
    this.#startedAt = this.#parts.clock();
    this.#tokens = 0;
    const work = this.#work;
    this.#summary = "";
    const name = `iteration:${iteration}/code`;
    const { request, settings } = this.#parts.journal.frozen;
    await this.#memory.begin(iteration);
    const workbench = new Workbench(this.#parts, "code", work.language, this.#tree, work.tests, work.baseline);
    const brief = briefCoder({
      goal: request.goal,
      spec: work.spec,
      todo: work.todo,
      project: work.project,
      files: readable(settings, whoIs("coder", this.#strand), work.files),
      accept: work.accept,
      tests: this.#ownTests(),
      olderTests: work.todo ? work.tests.filter((file) => file.todo !== work.todo?.id).map((file) => file.path) : [],
      notes: this.#notes,
      recalled: this.#memory.text,
      change: iteration > 1 ? await this.#change(`iteration:${iteration}/change`) : "",
      red: this.#verdict ? describeVerdict(this.#verdict) : "",
      attachments: request.attachments,
    });
    try {
      const conclusion = await askRole(this.#parts, {
        strand: this.#strand,
        name,
        role: "coder",
        briefing: [brief],
        result: CoderResult,
        workbench,
        maxTurns: settings.limits.maxTurns,
        attempt: this.#attempt(),
        // Words before anything was done are an announcement, not an end.
        onText: (text, turn) => (turn > 1 ? { summary: text } : undefined),
        onTokens: (tokens) => this.#count(tokens),
      });
      this.#summary =
        conclusion.ended === "finished"
          ? conclusion.result.summary
          : `(not finished within ${settings.limits.maxTurns} turns)`;
    } catch (error) {
      this.#tree = workbench.tree;
      this.#tampering.push(...workbench.tampering);
      if (!isUnusable(error)) throw error;
      await this.advance({ type: "rejected", failure: error.failure });
      return;
    }
    this.#tree = workbench.tree;
    this.#tampering.push(...workbench.tampering);
    await this.advance({ type: "coded" });
  }

  /** Another model reads the change; what it finds goes to reflection like a red test. */
  async review(role: ReviewRole, iteration: number): Promise<void> {
    const { spec, todo, language } = this.#work;
    const change = await this.#change(`iteration:${iteration}/${role}/change`);
    const about = { spec, todo: todo?.id, iteration, language, tree: this.#tree, change, said: this.#summary };
    const failure = await this.#reviews.of(role, about, (tokens) => this.#count(tokens));
    await this.advance(failure ? { type: "rejected", failure } : { type: "approved" });
  }

  async test(iteration: number): Promise<void> {
    const work = this.#work;
    this.#run = await runGate(this.#strand, this.#parts, {
      name: `iteration:${iteration}/test`,
      tree: this.#tree,
      language: work.language,
      tests: work.tests,
      baseline: work.baseline,
      suite: work.tests.length > 0 || work.baseline !== null,
      accept: work.accept,
      ...(work.checks && { checks: work.checks }),
      ...this.#integrity(),
    });
    this.#tree = this.#run.tree;
    this.#tampering.push(...(this.#run.tampered ?? []));
    const verdict = judge(this.#run, {
      files: work.tests,
      baseline: work.baseline,
      ids: work.ids ?? [],
      quarantined: work.quarantined ?? [],
      superseded: (work.spec?.superseded ?? []).map(({ test }) => test),
    });
    const { spec, whole = false } = work;
    const about = { name: `iteration:${iteration}/contract`, tree: this.#tree, contract: spec?.contract, whole };
    this.#verdict = await keepingContract(this.#strand, this.#parts, about, verdict);
    if (this.#verdict.passed) {
      await this.#memory.mended(iteration, this.#tree);
      await this.advance({ type: "green" }, this.#settled(iteration, "green"));
      return;
    }
    const failure = failureOf(this.#run, this.#verdict);
    await this.advance({ type: "rejected", failure });
  }

  async reflect(iteration: number, failure: Failure): Promise<void> {
    const { limits } = this.#parts.journal.frozen.settings;
    const ran = this.#run?.tree === this.#tree && failure.kind !== "policy";
    if (ran) await this.#memory.meet(iteration, this.#tree, this.#verdict?.reasons ?? []);
    const bare = this.#settled(iteration, ran ? "red" : "blocked", failure);
    const history = [...this.#iterations, { ...bare, durationMs: 0 }];
    const { action } = route(failure, { at: "iteration", history, patience: limits.patience });
    if (action !== "reflect" || iteration >= this.#limits.maxIterations) {
      await this.advance({ type: "reflected", next: "code", stuck: action === "give-up" }, bare);
      return;
    }
    await this.#memory.lookUp(iteration);
    const reflection = await this.#ask(iteration, failure);
    if (reflection !== UNEXPLAINED) this.#memory.reflected(iteration, reflection);
    const found = isReview(failure) ? `\nFound in review:\n${failure.detail ?? ""}` : "";
    this.#notes.push(`Iteration ${iteration}: ${reflection.cause}\nTry: ${reflection.hypothesis}${found}`);
    const settled = this.#settled(iteration, bare.outcome, failure, reflection);
    const next = this.#work.small && iteration === ESCALATE_AFTER ? "plan" : reflection.next;
    await this.advance({ type: "reflected", next, stuck: false }, settled);
  }

  async #ask(iteration: number, failure: Failure): Promise<ReflectorResult> {
    const change = await this.#change(`iteration:${iteration}/diff`);
    this.#reflectedOn = change;
    const { request } = this.#parts.journal.frozen;
    const found = isReview(failure) ? failure.detail : undefined;
    const red = found ?? (this.#verdict ? describeVerdict(this.#verdict) : failure.message);
    const conclusion = await askRole(this.#parts, {
      strand: this.#strand,
      name: `iteration:${iteration}/reflect`,
      role: "reflector",
      briefing: [
        briefReflector({
          spec: this.#work.spec,
          goal: request.goal,
          tests: this.#ownTests(),
          change,
          said: this.#summary,
          red,
          notes: this.#notes,
          recalled: this.#memory.text,
        }),
      ],
      result: ReflectorResult,
      workbench: new Workbench(this.#parts, "read", this.#work.language, this.#tree, []),
      maxTurns: REFLECTOR_TURNS,
      attempt: this.#attempt(),
      onTokens: (tokens) => this.#count(tokens),
    }).catch((error: unknown) => {
      // A model that cannot say why is no reason to stop: the coder sees the red tests all the same.
      if (isUnusable(error)) return { ended: "finished" as const, result: UNEXPLAINED };
      throw error;
    });
    return conclusion.ended === "finished" ? conclusion.result : UNEXPLAINED;
  }

  /** A chore may be about the tests themselves, and with `--direct` nobody said what it is about. */
  #integrity(): Pick<GateOptions, "integrity" | "superseded"> {
    const { spec, tree } = this.#work;
    if (!spec || spec.kind === "chore") return {};
    const superseded = (spec.superseded ?? []).map(({ test }) => test);
    return { integrity: { before: tree, said: specText(this.#parts.journal.frozen.request.goal, spec) }, superseded };
  }

  /** Every iteration before this one failed. */
  #attempt(): { difficulty: Difficulty; failures: number } {
    const { small, spec, todo } = this.#work;
    return { difficulty: difficultyOf({ small, kind: spec?.kind, todo }), failures: this.#iterations.length };
  }

  #ownTests(): ShownFile[] {
    const { todo, tests } = this.#work;
    const own = todo ? tests.filter((file) => file.todo === todo.id) : tests;
    return own.map(({ path, content }) => ({ path, content }));
  }

  #count(tokens: number): void {
    this.#tokens += tokens;
  }

  #settled(
    number: number,
    outcome: Iteration["outcome"],
    failure?: Failure,
    reflection?: ReflectorResult,
  ): Omit<Iteration, "durationMs"> {
    const passed = this.#run?.report?.tests.filter((test) => test.outcome === "passed").length ?? 0;
    return {
      number,
      todo: nameOf(this.#work),
      tree: this.#tree,
      outcome,
      passed,
      red: this.#verdict?.red ?? [],
      tokens: this.#tokens,
      ...(this.#summary !== "" && { summary: this.#summary }),
      ...(failure && { failure }),
      ...(reflection && { reflection: reflection.cause, hypothesis: reflection.hypothesis }),
    };
  }

  /** The change so far, without the given tests. */
  #change(name: string): Promise<string> {
    const input = { from: this.#work.tree, to: this.#tree };
    return this.#strand.step({ kind: "tool", name, input, output: z.string() }, async () =>
      bounded(await this.#parts.artifacts.diff(input.from, input.to)),
    );
  }
}

const nameOf = ({ todo, name }: TodoWork): string => name ?? todo?.id ?? "direct";

const isUnusable = (error: unknown): error is TerminalFailure =>
  error instanceof TerminalFailure && error.failure.code === "model.invalid-output";

function eventsOf(
  next: ReturnType<typeof transition>,
  todo: string | undefined,
  settled: Iteration | undefined,
): EventBody[] {
  const { state, warning } = next;
  const iteration = "iteration" in state ? state.iteration : 0;
  const events: EventBody[] = settled ? [{ type: "iteration-settled", iteration: settled }] : [];
  if (warning !== undefined) events.push({ type: "warning-raised", code: "circuit-breaker", message: warning });
  // Before the first iteration there is nothing to plan for a todo: the plan was made for the task.
  if (state.phase === "planning" && iteration === 0) return events;
  events.push({ type: "phase-changed", phase: state.phase, iteration, ...(todo !== undefined && { todo }) });
  return events;
}
