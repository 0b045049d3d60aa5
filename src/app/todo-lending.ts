import { setTimeout as sleep } from "node:timers/promises";
import type { Lending, OfferedTodo } from "../engine/hands/parts.ts";
import type { TaskClaim } from "../journal/claim.ts";
import { type Loan, Loans } from "../journal/loans.ts";
import type { Store } from "../store/store.ts";

/** The other workers of a team, for one task. */
export interface Helpers {
  /** How many have their hands free for this task, and its language. */
  count(language: string): Promise<number>;
  /** Enters a job for the todo on this strand. */
  enter(strand: string, language: string): Promise<void>;
}

export interface LendingParts {
  store: Store;
  claim: TaskClaim;
  helpers: Helpers;
  /** Fetches the trees that guests have made. */
  receive(): Promise<unknown>;
  onNotice(text: string): void;
  times?: LendingTimes;
}

export interface LendingTimes {
  lookMs: number;
  /** An offer is left to others for so long, also where there is room here. */
  patienceMs: number;
  /** A guest that is not heard of for so long is lost. */
  silenceMs: number;
}

const TIMES: LendingTimes = { lookMs: 300, patienceMs: 3000, silenceMs: 20_000 };

/**
 * Lends todos of one task, so that each worker has about as many. An offer that nobody has taken up comes back when
 * there is room here. In the end every todo passes through `work` here: what a guest recorded is recalled, and what it
 * left is done.
 */
export class TodoLending implements Lending {
  readonly #parts: LendingParts;
  readonly #loans: Loans;
  readonly #times: LendingTimes;
  #here = 0;
  #away = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: LendingParts) {
    this.#parts = parts;
    this.#loans = new Loans(parts.store);
    this.#times = parts.times ?? TIMES;
  }

  helpers(language: string): Promise<number> {
    return this.#parts.helpers.count(language);
  }

  async around<T>(todo: OfferedTodo, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const isHere = await this.#turn(async () => {
      const isHere = this.#here === 0 || (await this.#isSettled(todo.id)) || this.#here < (await this.#share(todo));
      if (isHere) this.#here += 1;
      else this.#away += 1;
      return isHere;
    });
    try {
      if (!isHere) await this.#lend(todo, signal);
      return await work();
    } finally {
      this.#here -= 1;
    }
  }

  /** How many of the todos that are under way fall to this worker. */
  async #share({ places, language }: OfferedTodo): Promise<number> {
    const underWay = this.#here + this.#away + 1;
    return Math.min(places, Math.ceil(underWay / (1 + (await this.helpers(language)))));
  }

  /** One after the other: who begins counts those that have begun. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #lend(todo: OfferedTodo, signal: AbortSignal): Promise<void> {
    const loan: Loan = { claim: this.#parts.claim, strand: todo.strand };
    try {
      if (await this.#loans.offer(loan, todo.beginning())) {
        await this.#parts.helpers.enter(todo.strand, todo.language);
        await this.#untilOwn(loan, todo, signal);
      }
    } finally {
      this.#away -= 1;
      this.#here += 1;
      // Whatever happened: from here on nothing of a guest is recorded.
      await this.#loans.takeBack(loan, "any");
    }
    await this.#parts.receive();
  }

  async #untilOwn(loan: Loan, todo: OfferedTodo, signal: AbortSignal): Promise<void> {
    const { lookMs, patienceMs, silenceMs } = this.#times;
    const offeredAt = performance.now();
    let heard = { beat: -1, at: offeredAt };
    let isTold = false;
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      const isRoom = this.#here === 0 || (this.#here < todo.places && now - offeredAt > patienceMs);
      const isDue = isRoom || todo.isCalled();
      if (isDue && (await this.#loans.takeBack(loan, "offered"))) return;
      const row = await this.#loans.look(loan);
      if (!row || row.state === "ended") return;
      if (row.beat !== heard.beat) heard = { beat: row.beat, at: now };
      if (row.state === "lent" && now - heard.at > silenceMs) {
        this.#parts.onNotice(`todo ${todo.id}: the worker it was lent to is not heard of any more; it is taken back`);
        return;
      }
      if (todo.isCalled() && !isTold) {
        await this.#loans.call(loan);
        isTold = true;
      }
      await sleep(lookMs, undefined, { signal });
    }
  }

  /** A resume passes todos that have ended. There is nothing left of them for others. */
  async #isSettled(todo: string): Promise<boolean> {
    const rows = await this.#parts.store.read
      .selectFrom("events")
      .select("body")
      .where("task_id", "=", this.#parts.claim.task)
      .where("type", "=", "todo-settled")
      .execute();
    return rows.some(({ body }) => JSON.parse(body).todo === todo);
  }
}
