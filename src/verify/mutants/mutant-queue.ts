import type { Mutant } from "../../domain/evidence/mutant-report.ts";

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
export class MutantQueue {
  #mutants: WaitingMutant[] = [];
  #size = 8;

  get size(): number {
    return this.#mutants.length;
  }

  add(one: WaitingMutant): void {
    this.#mutants.push(one);
  }

  /** The first mutant of each of these requirements, then the second of each, before all others. */
  sooner(requirements: readonly { tests: readonly string[] }[]): void {
    const own = requirements.map((requirement) => this.#of([requirement]));
    const early = new Set<WaitingMutant>();
    for (let turn = 0; turn < EARLY; turn += 1) {
      for (const { [turn]: one } of own) if (one) early.add(one);
    }
    this.#mutants = [...early, ...this.#mutants.filter((one) => !early.has(one))];
  }

  /** As `take`, and nothing that only other tests run. */
  takeFor(requirements: readonly { tests: readonly string[] }[]): WaitingMutant[] {
    const own = new Set(this.#of(requirements));
    const others = this.#mutants.filter((one) => !own.has(one));
    this.#mutants = [...own];
    const taken = this.take();
    this.#mutants.push(...others);
    return taken;
  }

  #of(requirements: readonly { tests: readonly string[] }[]): WaitingMutant[] {
    const own = new Set(requirements.flatMap(({ tests }) => tests));
    return this.#mutants.filter(({ tests }) => tests.some((test) => own.has(test)));
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
