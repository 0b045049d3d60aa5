import type { Mutant } from "../../domain/mutant-report.ts";

export interface WaitingMutant {
  mutant: Mutant;
  tests: string[];
  /** In a batch and a workspace of its own. */
  alone: boolean;
}

/** A batch should take about this long: long enough for a start to be cheap, short enough for progress to show. */
const BATCH_MS = 4_000;
const SMALLEST = 4;
const LARGEST = 64;
/** Mutants that each requirement's tests meet early, so that a short budget still tells something about each. */
const EARLY = 3;

/** Mutants that have yet to run, in order, handed out in batches. */
export class Waiting {
  #mutants: WaitingMutant[] = [];
  #size = 8;

  get size(): number {
    return this.#mutants.length;
  }

  add(one: WaitingMutant): void {
    this.#mutants.push(one);
  }

  sooner(requirements: readonly { tests: readonly string[] }[]): void {
    const early = new Set<WaitingMutant>();
    for (const { tests } of requirements) {
      const own = new Set(tests);
      for (const one of this.#mutants.filter((each) => each.tests.some((test) => own.has(test))).slice(0, EARLY))
        early.add(one);
    }
    this.#mutants = [...early, ...this.#mutants.filter((one) => !early.has(one))];
  }

  take(): WaitingMutant[] {
    const first = this.#mutants[0];
    if (!first) return [];
    if (first.alone) return this.#mutants.splice(0, 1);
    const fair = Math.max(SMALLEST, Math.ceil(this.#mutants.length / 2));
    const together = this.#mutants.findIndex(({ alone }) => alone);
    const most = together === -1 ? this.#mutants.length : together;
    return this.#mutants.splice(0, Math.min(this.#size, fair, most));
  }

  /** How long jobs take tells how many make a batch. */
  took(jobs: number, ms: number): void {
    if (jobs === 0) return;
    this.#size = Math.min(LARGEST, Math.max(SMALLEST, Math.round(BATCH_MS / (ms / jobs))));
  }
}
