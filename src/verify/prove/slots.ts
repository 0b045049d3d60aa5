import { runsInPlace } from "../../domain/settings/settings.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

const MOST_CHECKS = 8;

/** So many at a time, each with the number of a place that nobody else has meanwhile. */
export class Slots {
  readonly #free: number[];
  readonly #waiting: ((slot: number) => void)[] = [];

  constructor(size: number) {
    this.#free = Array.from({ length: Math.max(1, size) }, (_, index) => index + 1);
  }

  /** For checks that need nothing of each other: in turn where nothing keeps what they run apart. */
  static forChecks({ backend }: Pick<Sandbox, "backend">): Slots {
    return new Slots(runsInPlace(backend) ? 1 : MOST_CHECKS);
  }

  async use<T>(work: (slot: number) => Promise<T>): Promise<T> {
    const slot = this.#free.shift() ?? (await new Promise<number>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(slot);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(slot);
      else this.#free.push(slot);
    }
  }
}
