export interface Rate {
  perSecond: number;
  /** Requests at once after a pause. */
  burst: number;
}

/** More callers than this are not remembered: who comes anew begins with a full allowance. */
const MOST_CALLERS = 10_000;

/** So many requests for each caller: an allowance that fills up again with time. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #callers = new Map<string, { left: number; at: number }>();

  constructor(rate: Rate, now: () => number = performance.now.bind(performance)) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Returns 0 if the request is allowed, otherwise the seconds to wait. */
  take(caller: string): number {
    const { perSecond, burst } = this.#rate;
    const now = this.#now();
    const known = this.#callers.get(caller);
    const left = known ? Math.min(burst, known.left + ((now - known.at) / 1000) * perSecond) : burst;
    if (!known && this.#callers.size >= MOST_CALLERS) this.#callers.clear();
    this.#callers.set(caller, { left: left < 1 ? left : left - 1, at: now });
    return left < 1 ? Math.ceil((1 - left) / perSecond) : 0;
  }
}
