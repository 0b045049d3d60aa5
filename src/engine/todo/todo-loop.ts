import { z } from "zod";
import type { ReflectorResult } from "../../agents/finish.ts";
import type { Failure } from "../../domain/failure.ts";
import { bestTree, Iteration } from "../../domain/loop/iteration.ts";
import { type LoopLimits, type LoopOutcome, LoopState, transition } from "../../domain/loop/loop.ts";
import type { ReviewRole } from "../../domain/loop/review.ts";
import { isReview } from "../../domain/loop/review.ts";
import { route } from "../../domain/loop/route-failure.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import { failureOf, type GateRun, type GateVerdict } from "../../verify/gate/gate.ts";
import { bounded, describeVerdict } from "../gate/describe-red.ts";
import { isUnusable, type Run } from "../hands/run.ts";
import { Workbench } from "../hands/workbench.ts";
import type { Attempt } from "./attempt.ts";
import { canGoOn, finishLineOf } from "./finish-line-of.ts";
import { judgeAttempt } from "./judge-attempt.ts";
import { eventsOf } from "./loop-events.ts";
import { askCoder, askReflector, type LoopSnapshot, UNEXPLAINED } from "./loop-questions.ts";
import { TodoMemory } from "./remember-todo.ts";
import { replan } from "./replan.ts";
import { Reviews } from "./review-change.ts";
import { type Listening, specOf, type TodoResult, type TodoWork, todoOf, type Yielded } from "./todo-work.ts";
import { isBetween, YIELDED } from "./yield-todo.ts";

/** A small goal that is red after this many iterations was not small, so it is planned anew. */
const ESCALATE_AFTER = 2;

const PhaseEntered = z.object({ state: LoopState, iteration: Iteration.optional() });

/** The state of the loop over one todo, and its work in each phase. */
export class TodoLoop {
  state: LoopState = { phase: "init" };
  readonly #run: Run;
  readonly #work: TodoWork;
  readonly #attempt: Attempt;
  readonly #listening: Listening | undefined;
  readonly #limits: LoopLimits;
  readonly #iterations: Iteration[] = [];
  readonly #notes: string[];
  readonly #tampering: string[] = [];
  readonly #reviews: Reviews;
  readonly #memory: TodoMemory;
  #tree: string;
  #gate: GateRun | null = null;
  /**
   * By the tree that was tested. The result of failed work needs the gate run of its own tree, which may not be the
   * last run.
   */
  readonly #gates = new Map<string, GateRun>();
  #verdict: GateVerdict | null = null;
  #tokens = 0;
  #summary = "";
  /** The change that the last reflection was about. */
  #reflectedOn = "";
  #startedAt: number;
  #update: Yielded["update"];

  constructor(run: Run, work: TodoWork, attempt: Attempt, listening?: Listening) {
    this.#run = run;
    this.#work = work;
    this.#attempt = attempt;
    this.#listening = listening;
    this.#tree = attempt.resumeFrom?.tree ?? attempt.tree;
    this.#notes = [...attempt.notes];
    this.#startedAt = run.parts.clock();
    const todo = todoOf(work);
    this.#memory = new TodoMemory(run, {
      name: attempt.name,
      ...(todo && attempt.reason === "first" && { about: `${run.request.goal}\n${todo.title}` }),
      language: work.language?.name ?? "",
      tree: attempt.tree,
      openErrors: attempt.openErrors,
    });
    const { limits, review, audit } = run.settings;
    const after = attempt.resumeFrom?.after ?? 0;
    this.#limits = {
      maxIterations: after + Math.min(limits.maxIterations, attempt.maxIterations ?? limits.maxIterations),
      warnAt: after + limits.warnAtIteration,
      review,
      audit,
    };
    this.#reviews = new Reviews(run);
  }

  result(settled: TodoResult["settled"]): TodoResult {
    const tree = settled.ok ? this.#tree : (bestTree(this.#iterations) ?? this.#tree);
    const { openErrors } = this.#memory;
    const gate = this.#gates.get(tree) ?? this.#gate;
    return { settled, tree, iterations: this.#iterations, gate, tampering: this.#tampering, openErrors };
  }

  start(): Promise<void> {
    const { resumeFrom } = this.#attempt;
    return this.advance({ type: "started", ...(resumeFrom && { after: resumeFrom.after }) });
  }

  /**
   * Called between two iterations: whether the todo returns to the task first. It is a step only if the answer is yes.
   */
  async yields(): Promise<boolean> {
    const listening = this.#listening;
    if (!listening || !isBetween(this.state)) return false;
    const isWanted = async () => this.#update !== undefined || (await listening.isWanted());
    if (!(this.#run.isNext("yield") ?? (await isWanted()))) return false;
    const input = { tree: this.#tree, state: this.state };
    await this.#run.note({ kind: "checkpoint", name: "yield", input });
    return true;
  }

  yielded(): TodoResult {
    const { state } = this;
    const before = "iteration" in state ? state.iteration : 0;
    const after = state.phase === "coding" ? before - 1 : before;
    const yielded = { after, notes: this.#notes, ...(this.#update && { update: this.#update }) };
    const gate = this.#gates.get(this.#tree) ?? null;
    return { ...this.result({ ok: false, failure: YIELDED }), tree: this.#tree, gate, yielded };
  }

  /**
   * Enters the next phase with a checkpoint that a resume can continue from. It holds everything that happened in the
   * last phase.
   */
  async advance(outcome: LoopOutcome, settled?: Omit<Iteration, "durationMs">): Promise<void> {
    const next = transition(this.state, outcome, this.#limits);
    const todo = todoOf(this.#work)?.id;
    const entered = await this.#run.step(
      {
        kind: "checkpoint",
        name: "phase",
        input: { from: this.state, outcome, tree: this.#tree, settled },
        output: PhaseEntered,
        // The transition is pure, so after a power cut it is computed again. The next model call or delivery makes it
        // durable.
        durable: false,
      },
      async ({ emit }) => {
        const iteration = settled && { ...settled, durationMs: this.#run.parts.clock() - this.#startedAt };
        for (const event of eventsOf(next, todo, iteration)) emit(event);
        return { state: next.state, ...(iteration && { iteration }) };
      },
    );
    if (entered.iteration) this.#iterations.push(entered.iteration);
    this.state = entered.state;
  }

  /** Asks the planner for another approach, for the coder, or for another plan, for the task. */
  async replan(iteration: number): Promise<void> {
    const red = this.#verdict ? describeVerdict(this.#verdict) : "";
    const snapshot = this.#snapshot(iteration, { red, change: this.#reflectedOn });
    const { approach, update } = await replan(this.#run, this.#work, snapshot, this.#listening);
    this.#update = update;
    if (approach !== null) this.#notes.push(`Another approach, after iteration ${iteration}:\n${approach}`);
  }

  async code(iteration: number): Promise<void> {
    this.#startedAt = this.#run.parts.clock();
    this.#tokens = 0;
    const { language, baseline } = this.#work;
    const { tests, earlier } = this.#attempt;
    this.#summary = "";
    await this.#memory.begin(iteration);
    const workbench = new Workbench(this.#run, {
      name: "code",
      language,
      tree: this.#tree,
      locked: tests.files,
      baseline,
      finish: finishLineOf(this.#run, this.#work, this.#attempt),
    });
    const change = iteration > 1 || earlier ? await this.#change(iterationStep(iteration, "change")) : "";
    const red = this.#verdict ? describeVerdict(this.#verdict) : (earlier?.red ?? "");
    let outcome: LoopOutcome = { type: "coded" };
    try {
      const snapshot = this.#snapshot(iteration, { red, change });
      this.#summary = await askCoder(this.#run, this.#work, snapshot, workbench);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      outcome = { type: "rejected", failure: error.failure };
    } finally {
      this.#tree = workbench.tree;
      this.#tampering.push(...workbench.tampering);
    }
    await this.advance(outcome);
  }

  /** Another model reads the change. Its blocking findings go to reflection like a red test. */
  async review(role: ReviewRole, iteration: number): Promise<void> {
    const { language } = this.#work;
    const change = await this.#change(iterationStep(iteration, `${role}/change`));
    const about = {
      spec: specOf(this.#work),
      todo: todoOf(this.#work)?.id,
      iteration,
      language,
      tree: this.#tree,
      change,
      said: this.#summary,
    };
    const failure = await this.#reviews.of(role, about, (tokens) => this.#count(tokens));
    await this.advance(failure ? { type: "rejected", failure } : { type: "approved" });
  }

  async test(iteration: number): Promise<void> {
    const at = { iteration, tree: this.#tree };
    const { gate, verdict } = await judgeAttempt(this.#run, this.#work, this.#attempt, at);
    this.#gate = gate;
    this.#verdict = verdict;
    this.#tree = gate.tree;
    this.#gates.set(gate.tree, gate);
    this.#tampering.push(...(gate.tampered ?? []));
    if (verdict.passed) {
      await this.#memory.mended(iteration, this.#tree);
      await this.advance({ type: "green" }, this.#settled(iteration, "green"));
      return;
    }
    const failure = failureOf(gate, verdict);
    await this.advance({ type: "rejected", failure });
  }

  async reflect(iteration: number, failure: Failure): Promise<void> {
    const { limits } = this.#run.settings;
    const ran = this.#gate?.tree === this.#tree && failure.kind !== "policy";
    if (ran) await this.#memory.meet(iteration, this.#tree, this.#verdict?.reasons ?? []);
    else if (this.#run.settings.memory.use?.blocked) {
      const { code, detail, message } = failure;
      await this.#memory.meet(iteration, this.#tree, [{ id: code, message: detail ?? message }]);
    }
    const bare = this.#settled(iteration, ran ? "red" : "blocked", failure);
    const history = [...this.#iterations, { ...bare, durationMs: 0 }];
    const { action } = route(failure, { at: "iteration", history, patience: limits.patience });
    if (action !== "reflect" || iteration >= this.#limits.maxIterations) {
      await this.advance({ type: "reflected", next: "code", stuck: action === "give-up" }, bare);
      return;
    }
    if (isReview(failure) && canGoOn(this.#run)) return this.#takeBack(iteration, failure, bare);
    await this.#memory.lookUp(iteration);
    const reflection = await this.#ask(iteration, failure);
    if (reflection !== UNEXPLAINED) this.#memory.reflected(iteration, reflection);
    this.#notes.push(`Iteration ${iteration}: ${reflection.cause}\nTry: ${reflection.hypothesis}`);
    const settled = this.#settled(iteration, bare.outcome, failure, reflection);
    const isStuck = iteration === ESCALATE_AFTER;
    // Who cannot tell why is not asked again and again: a debugger may run things.
    const unexplained = reflection.next === "debug" && this.#hasDebugger();
    const next = (this.#work.small && isStuck) || reflection.next === "plan" ? "plan" : "code";
    await this.advance({ type: "reflected", next, stuck: false, ...(unexplained && { unexplained }) }, settled);
  }

  /**
   * A reviewer, not a test, sent the change back. It says what is wrong and what to do instead, so nobody is asked why,
   * and it says nothing against the approach.
   */
  async #takeBack(iteration: number, failure: Failure, bare: Omit<Iteration, "durationMs">): Promise<void> {
    await this.#memory.lookUp(iteration);
    const found = failure.detail ?? failure.message;
    this.#memory.reflected(iteration, { hypothesis: found });
    this.#notes.push(`Iteration ${iteration}, found in review; mend each of these:\n${found}`);
    await this.advance({ type: "reflected", next: "code", stuck: false }, bare);
  }

  /** Whether a debugger looks at what this attempt leaves red. Its own attempts go on as long as they may. */
  #hasDebugger(): boolean {
    const todo = todoOf(this.#work);
    const { limits } = this.#run.settings;
    return this.#attempt.reason === "first" && todo !== undefined && (todo.debugAttempts ?? limits.debugAttempts) > 0;
  }

  async #ask(iteration: number, failure: Failure): Promise<ReflectorResult> {
    const change = await this.#change(iterationStep(iteration, "diff"));
    this.#reflectedOn = change;
    const red = this.#verdict ? describeVerdict(this.#verdict) : failure.message;
    return askReflector(this.#run, this.#work, this.#snapshot(iteration, { red, change }));
  }

  #snapshot(iteration: number, { red, change }: Pick<LoopSnapshot, "red" | "change">): LoopSnapshot {
    return {
      iteration,
      failures: this.#iterations.length + this.#attempt.failures,
      tree: this.#tree,
      tests: this.#attempt.tests.files,
      red,
      change,
      notes: this.#notes,
      recalled: this.#memory.text,
      said: this.#summary,
      onTokens: (tokens) => this.#count(tokens),
    };
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
    const passed = this.#gate?.report?.tests.filter((test) => test.outcome === "passed").length ?? 0;
    return {
      number,
      todo: this.#attempt.name,
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
    const { earlier, tree } = this.#attempt;
    const input = { from: earlier?.from ?? tree, to: this.#tree };
    return this.#run.step({ kind: "tool", name, input, output: z.string() }, async () =>
      bounded(await this.#run.parts.artifacts.diff(input.from, input.to)),
    );
  }
}
