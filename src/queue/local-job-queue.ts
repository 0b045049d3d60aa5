import { randomUUID } from "node:crypto";
import { type Line, nextLine } from "./fair-turn.ts";
import { type Job, jobKey, type Taken, type Worker } from "./job.ts";
import { type DeadLetter, type JobQueue, MOST_ATTEMPTS, type QueueFigures, type StepsOf } from "./job-queue.ts";
import { lineKey, readLineKey } from "./line-key.ts";

type State =
  | { is: "waiting"; from: number }
  | { is: "taken"; lease: string; worker: Worker; until: number }
  | { is: "dead"; why: string; at: number };

interface Entry {
  job: Job;
  state: State;
  enteredAt: number;
  /** Steps of its task when it was entered, or failed last. */
  steps: number;
  /** Attempts in a row in which its task did not get on. */
  failures: number;
  /** It was begun before: it comes first among its like. */
  isBegun: boolean;
  before: string[];
}

/** A queue that ends with this process. */
export class LocalJobQueue implements JobQueue {
  readonly #now: () => number;
  readonly #leaseMs: number;
  readonly #stepsOf: StepsOf;
  #entries: Entry[] = [];
  readonly #lastTurns = new Map<string, number>();
  readonly #workers = new Map<string, { worker: Worker; seenAt: number }>();
  #turn = 0;
  #takeOvers = 0;

  constructor(now: () => number, leaseSeconds: number, stepsOf: StepsOf) {
    this.#now = now;
    this.#stepsOf = stepsOf;
    this.#leaseMs = leaseSeconds * 1000;
  }

  async enqueue(job: Job): Promise<void> {
    const steps = await this.#stepsOf(job.task);
    if (this.#entries.some((entry) => jobKey(entry.job) === jobKey(job) && entry.state.is === "waiting")) return;
    const at = this.#now();
    const state: State = { is: "waiting", from: at };
    this.#entries.push({ job, state, enteredAt: at, steps, failures: 0, isBegun: false, before: [] });
  }

  async take(worker: Worker): Promise<Taken | null> {
    await this.#lapse();
    this.#see(worker);
    const line = nextLine(this.#lines(), worker);
    if (!line) return null;
    const key = lineKey(line);
    const [entry] = this.#ready()
      .filter(({ job }) => lineKey(job) === key)
      .sort((a, b) => b.job.priority - a.job.priority || Number(b.isBegun) - Number(a.isBegun));
    if (!entry) return null;
    this.#turn += 1;
    this.#lastTurns.set(key, this.#turn);
    if (entry.before.length > 0) this.#takeOvers += 1;
    const lease = randomUUID();
    entry.state = { is: "taken", lease, worker, until: this.#leaseEnd() };
    return { ...entry.job, lease, before: entry.before };
  }

  async renew(worker: Worker, held: readonly Taken[]): Promise<Taken[]> {
    await this.#lapse();
    this.#see(worker);
    return held.filter((taken) => {
      const entry = this.#held(taken);
      if (entry?.state.is === "taken") entry.state.until = this.#leaseEnd();
      return entry !== undefined;
    });
  }

  async done(taken: Taken): Promise<boolean> {
    return this.#settle(taken, (entry) => this.#remove(entry));
  }

  async giveBack(taken: Taken, afterSeconds = 0): Promise<boolean> {
    return this.#settle(taken, (entry) => {
      const waits = this.#entries.some(({ job, state }) => jobKey(job) === jobKey(entry.job) && state.is === "waiting");
      if (waits) return this.#remove(entry);
      entry.isBegun = true;
      entry.state = { is: "waiting", from: this.#now() + afterSeconds * 1000 };
    });
  }

  async retryLater(taken: Taken, why: string): Promise<boolean> {
    const steps = await this.#stepsOf(taken.task);
    return this.#settle(taken, (entry) => this.#fail(entry, why, steps));
  }

  async withdraw(task: string): Promise<void> {
    this.#entries = this.#entries.filter(({ job, state }) => job.task !== task || state.is === "taken");
  }

  async holds(task: string): Promise<boolean> {
    return this.#entries.some(({ job }) => jobKey(job) === task);
  }

  async deadLetters(): Promise<DeadLetter[]> {
    await this.#lapse();
    return this.#entries.flatMap(({ job, state }) =>
      state.is === "dead" ? [{ job, why: state.why, at: state.at }] : [],
    );
  }

  async revive(task: string): Promise<boolean> {
    const dead = this.#entries.find(({ job, state }) => job.task === task && state.is === "dead");
    if (!dead) return false;
    this.#remove(dead);
    await this.enqueue(dead.job);
    return true;
  }

  async figures(): Promise<QueueFigures> {
    await this.#lapse();
    const waiting = this.#entries.filter(({ state }) => state.is === "waiting");
    const ready = this.#ready().length;
    const oldest = waiting.length === 0 ? null : Math.min(...waiting.map(({ enteredAt }) => enteredAt));
    return {
      ready,
      delayed: waiting.length - ready,
      running: this.#entries.filter(({ state }) => state.is === "taken").length,
      dead: this.#entries.filter(({ state }) => state.is === "dead").length,
      oldestMs: oldest === null ? null : this.#now() - oldest,
      takeOvers: this.#takeOvers,
    };
  }

  async workers() {
    await this.#lapse();
    const views = [...this.#workers.values()].map(({ worker: { name, labels }, seenAt }) => {
      const held = this.#entries.filter(({ state }) => state.is === "taken" && state.worker.name === name);
      return { name, labels: [...labels], tasks: [...new Set(held.map(({ job }) => job.task))], seenAt };
    });
    return views.filter(({ tasks, seenAt }) => tasks.length > 0 || seenAt + this.#leaseMs >= this.#now());
  }

  async leave({ name }: Worker): Promise<void> {
    this.#workers.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#entries = [];
  }

  #leaseEnd(): number {
    return this.#now() + this.#leaseMs;
  }

  #see(worker: Worker): void {
    this.#workers.set(worker.name, { worker, seenAt: this.#now() });
  }

  /** A task that is worked on is not ready: what was entered meanwhile waits for its end. */
  #ready(): Entry[] {
    const taken = new Set(this.#entries.filter(({ state }) => state.is === "taken").map(({ job }) => jobKey(job)));
    const waiting = this.#entries.filter(({ state }) => state.is === "waiting" && state.from <= this.#now());
    return waiting.filter(({ job }) => !taken.has(jobKey(job)));
  }

  #lines(): Line[] {
    const lines = new Map<string, Line>();
    const lineOf = (key: string): Line => {
      const none = { ready: 0, running: 0, priority: -Infinity, oldest: Infinity, lastTurn: 0 };
      const line = lines.get(key) ?? { ...readLineKey(key), ...none };
      lines.set(key, line);
      return line;
    };
    // Also where nothing is left: its person had a turn.
    for (const [key, lastTurn] of this.#lastTurns) lineOf(key).lastTurn = lastTurn;
    for (const { job, state } of this.#entries) if (state.is === "taken") lineOf(lineKey(job)).running += 1;
    for (const { job, enteredAt } of this.#ready()) {
      const line = lineOf(lineKey(job));
      line.ready += 1;
      line.priority = Math.max(line.priority, job.priority);
      line.oldest = Math.min(line.oldest, enteredAt);
    }
    return [...lines.values()];
  }

  /** What nobody renewed is tried again, as after a failure. */
  async #lapse(): Promise<void> {
    const hasLapsed = ({ state }: Entry) => state.is === "taken" && state.until < this.#now();
    for (const entry of this.#entries.filter(hasLapsed)) {
      const steps = await this.#stepsOf(entry.job.task);
      // Somebody else may have looked meanwhile.
      if (entry.state.is !== "taken" || !hasLapsed(entry)) continue;
      entry.before = [...new Set([...entry.before, entry.state.worker.name])];
      this.#fail(entry, "its worker was not heard of any more", steps);
    }
  }

  #fail(entry: Entry, why: string, steps: number): void {
    if (entry.job.todo !== undefined) {
      this.#remove(entry);
      return;
    }
    entry.failures = steps === entry.steps ? entry.failures + 1 : 0;
    entry.steps = steps;
    entry.isBegun = true;
    const pauseMs = 1000 * 2 ** entry.failures;
    entry.state =
      entry.failures >= MOST_ATTEMPTS
        ? { is: "dead", why, at: this.#now() }
        : { is: "waiting", from: this.#now() + pauseMs };
  }

  #held({ lease }: Taken): Entry | undefined {
    return this.#entries.find(({ state }) => state.is === "taken" && state.lease === lease);
  }

  async #settle(taken: Taken, how: (entry: Entry) => void): Promise<boolean> {
    await this.#lapse();
    const entry = this.#held(taken);
    if (entry) how(entry);
    return entry !== undefined;
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }
}
