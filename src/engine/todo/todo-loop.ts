import { z } from "zod";
import type { ReflectorResult } from "../../agents/finish.ts";
import type { Failure } from "../../domain/failure.ts";
import { distance, Iteration } from "../../domain/loop/iteration.ts";
import { type LoopLimits, type LoopOutcome, LoopState, transition } from "../../domain/loop/loop.ts";
import type { ReviewRole } from "../../domain/loop/review.ts";
import { isReview } from "../../domain/loop/review.ts";
import { route } from "../../domain/loop/route-failure.ts";
import { failureOf, type GateRun, judge, type Verdict } from "../../verify/gate/gate.ts";
import { owedText, specText } from "../../verify/held-out/quote.ts";
import { bounded, describeVerdict } from "../gate/describe-red.ts";
import type { GateOptions } from "../gate/gate-options.ts";
import { keepingContract } from "../gate/keep-contract.ts";
import { runGate } from "../gate/run-gate.ts";
import { isUnusable, type Run } from "../hands/run.ts";
import { Workbench } from "../hands/workbench.ts";
import { eventsOf } from "./loop-events.ts";
import { askCoder, askReflector, type Standing, UNEXPLAINED } from "./loop-questions.ts";
import { TodoMemory } from "./remember-todo.ts";
import { askForWay } from "./replan.ts";
import { Reviews } from "./review-change.ts";
import { nameOf, type TodoResult, type TodoWork, type Yielded } from "./todo-work.ts";
import { isBetween, YIELDED } from "./yield-todo.ts";

/** A small goal that is still red after this many iterations was not small: it is planned anew. */
const ESCALATE_AFTER = 2;

const PhaseEntered = z.object({ state: LoopState, iteration: Iteration.optional() });

/** Where the loop over one todo stands, and what it does in each phase. */
export class TodoLoop {
  state: LoopState = { phase: "init" };
  readonly #run: Run;
  readonly #work: TodoWork;
  readonly #limits: LoopLimits;
  readonly #iterations: Iteration[] = [];
  readonly #notes: string[];
  readonly #tampering: string[] = [];
  readonly #reviews: Reviews;
  readonly #memory: TodoMemory;
  #tree: string;
  #gate: GateRun | null = null;
  /** By the tree that was tested: what is kept of work that failed is told by its own run, which may not be the last. */
  readonly #gates = new Map<string, GateRun>();
  #verdict: Verdict | null = null;
  #tokens = 0;
  #summary = "";
  /** The change that the last reflection was about. */
  #reflectedOn = "";
  #startedAt: number;
  #update: Yielded["update"];

  constructor(run: Run, work: TodoWork) {
    this.#run = run;
    this.#work = work;
    this.#tree = work.goOn?.tree ?? work.tree;
    this.#notes = [...(work.notes ?? [])];
    this.#startedAt = run.parts.clock();
    this.#memory = new TodoMemory(run, {
      name: nameOf(work),
      ...(work.todo && work.name === undefined && { about: `${run.request.goal}\n${work.todo.title}` }),
      language: work.language?.name ?? "",
      tree: work.tree,
      met: work.met ?? [],
    });
    const { settings } = run;
    const { limits } = settings;
    const after = work.goOn?.after ?? 0;
    this.#limits = {
      maxIterations: after + Math.min(limits.maxIterations, work.maxIterations ?? limits.maxIterations),
      warnAt: after + limits.warnAtIteration,
      review: settings.review === true,
      audit: settings.audit === true,
    };
    this.#reviews = new Reviews(run);
  }

  result(settled: TodoResult["settled"]): TodoResult {
    const tree = settled.ok ? this.#tree : this.#bestTree();
    const { met } = this.#memory;
    const { focused } = this.#run.settings;
    const gate = (focused ? this.#gates.get(tree) : undefined) ?? this.#gate;
    return { settled, tree, iterations: this.#iterations, gate, tampering: this.#tampering, met };
  }

  /** What is kept of work that did not succeed: the latest of the trees that came closest to green. */
  #bestTree(): string {
    const closest = Math.min(...this.#iterations.map(distance));
    return this.#iterations.findLast((iteration) => distance(iteration) === closest)?.tree ?? this.#tree;
  }

  start(): Promise<void> {
    const { goOn } = this.#work;
    return this.advance({ type: "started", ...(goOn && { after: goOn.after }) });
  }

  /** Between two iterations: whether it goes back to the task first. A step only where it does. */
  async yields(): Promise<boolean> {
    const { listening } = this.#work;
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

  /** Enters the next phase: a checkpoint that a resume can go on from, with everything that happened in the last one. */
  async advance(outcome: LoopOutcome, settled?: Omit<Iteration, "durationMs">): Promise<void> {
    const next = transition(this.state, outcome, this.#limits);
    const todo = this.#work.todo?.id;
    const entered = await this.#run.step(
      {
        kind: "checkpoint",
        name: "phase",
        input: { from: this.state, outcome, tree: this.#tree, settled },
        output: PhaseEntered,
        // Pure: after a power cut it is found again. The next model call or delivery makes it durable.
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

  /** Another way, for the coder to read; or another plan, for the task to go on with. */
  async replan(iteration: number): Promise<void> {
    const red = this.#verdict ? describeVerdict(this.#verdict) : "";
    const standing = this.#standing(iteration, { red, change: this.#reflectedOn });
    const { approach, update } = await askForWay(this.#run, this.#work, standing);
    this.#update = update;
    if (approach !== null) this.#notes.push(`Another approach, after iteration ${iteration}:\n${approach}`);
  }

  async code(iteration: number): Promise<void> {
    this.#startedAt = this.#run.parts.clock();
    this.#tokens = 0;
    const { language, tests, baseline } = this.#work;
    this.#summary = "";
    await this.#memory.begin(iteration);
    const workbench = new Workbench(this.#run, { name: "code", language, tree: this.#tree, locked: tests, baseline });
    const change = iteration > 1 || this.#work.attempt ? await this.#change(`iteration:${iteration}/change`) : "";
    const red = this.#verdict ? describeVerdict(this.#verdict) : (this.#work.attempt?.red ?? "");
    let outcome: LoopOutcome = { type: "coded" };
    try {
      const standing = this.#standing(iteration, { red, change });
      this.#summary = await askCoder(this.#run, this.#work, standing, workbench);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      outcome = { type: "rejected", failure: error.failure };
    } finally {
      this.#tree = workbench.tree;
      this.#tampering.push(...workbench.tampering);
    }
    await this.advance(outcome);
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
    this.#gate = await runGate(this.#run, {
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
    this.#tree = this.#gate.tree;
    this.#gates.set(this.#tree, this.#gate);
    this.#tampering.push(...(this.#gate.tampered ?? []));
    const verdict = judge(this.#gate, {
      files: work.tests,
      baseline: work.baseline,
      ids: work.ids ?? [],
      quarantined: work.quarantined ?? [],
      superseded: (work.spec?.superseded ?? []).map(({ test }) => test),
    });
    const { spec, todo, whole = false } = work;
    const promises = { contract: spec?.contract, spec, todo, before: work.tree };
    const about = { name: `iteration:${iteration}/contract`, tree: this.#tree, whole, ...promises };
    this.#verdict = await keepingContract(this.#run, about, verdict);
    if (this.#verdict.passed) {
      await this.#memory.mended(iteration, this.#tree);
      await this.advance({ type: "green" }, this.#settled(iteration, "green"));
      return;
    }
    const failure = failureOf(this.#gate, this.#verdict);
    await this.advance({ type: "rejected", failure });
  }

  async reflect(iteration: number, failure: Failure): Promise<void> {
    const { limits } = this.#run.settings;
    const ran = this.#gate?.tree === this.#tree && failure.kind !== "policy";
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
    const isStuck = iteration === ESCALATE_AFTER && !this.#isRead(failure);
    const next = this.#work.small && isStuck ? "plan" : reflection.next;
    await this.advance({ type: "reflected", next, stuck: false }, settled);
  }

  async #ask(iteration: number, failure: Failure): Promise<ReflectorResult> {
    const change = await this.#change(`iteration:${iteration}/diff`);
    this.#reflectedOn = change;
    const found = isReview(failure) ? failure.detail : undefined;
    const red = found ?? (this.#verdict ? describeVerdict(this.#verdict) : failure.message);
    const standing = { ...this.#standing(iteration, { red, change }), isReview: this.#isRead(failure) };
    return askReflector(this.#run, this.#work, standing);
  }

  /** A reader, not a test, sent it back: that says nothing against the way. Older tasks took it for red. */
  #isRead(failure: Failure): boolean {
    return isReview(failure) && this.#run.settings.focused === true;
  }

  #standing(iteration: number, { red, change }: Pick<Standing, "red" | "change">): Standing {
    return {
      iteration,
      failures: this.#iterations.length + (this.#work.failures ?? 0),
      tree: this.#tree,
      red,
      change,
      notes: this.#notes,
      recalled: this.#memory.text,
      said: this.#summary,
      onTokens: (tokens) => this.#count(tokens),
    };
  }

  /** A chore may be about the tests themselves, and with `--direct` nobody said what it is about. */
  #integrity(): Pick<GateOptions, "integrity" | "asked" | "superseded"> {
    const { spec, tree, judgedFrom: before = tree } = this.#work;
    if (!spec || spec.kind === "chore") return {};
    const superseded = (spec.superseded ?? []).map(({ test }) => test);
    const { goal } = this.#run.request;
    return { integrity: { before, said: specText(goal, spec) }, asked: owedText(goal, spec), superseded };
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
    const input = { from: this.#work.attempt?.from ?? this.#work.tree, to: this.#tree };
    return this.#run.step({ kind: "tool", name, input, output: z.string() }, async () =>
      bounded(await this.#run.parts.artifacts.diff(input.from, input.to)),
    );
  }
}
