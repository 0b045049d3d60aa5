import type { MutantJob } from "../../languages/language.ts";
import type { JobResult } from "./job-result.ts";
import type { WaitingMutant } from "./mutant-queue.ts";

/** The runs without a mutant: one for each file and selection of tests. */
export class Controls {
  readonly #results = new Map<string, { result: JobResult; path: string; tests: readonly string[] }>();
  /** Ids of jobs that stand for a control, with what they control. */
  readonly #asked = new Map<string, { key: string; path: string; tests: readonly string[] }>();

  /** The controls that these mutants still need. Two workers may ask for the same one. */
  missing(batch: readonly WaitingMutant[]): Omit<MutantJob, "timeoutMs" | "usualMs">[] {
    const jobs = new Map<string, Omit<MutantJob, "timeoutMs" | "usualMs">>();
    for (const { mutant, tests } of batch) {
      const key = keyOf(mutant.path, tests);
      if (this.#results.has(key) || jobs.has(key)) continue;
      const id = `control ${this.#asked.size + 1}`;
      this.#asked.set(id, { key, path: mutant.path, tests });
      jobs.set(key, { id, path: mutant.path, mutant: null, tests, beyond: [] });
    }
    return [...jobs.values()];
  }

  learn(results: ReadonlyMap<string, JobResult>): void {
    for (const [id, result] of results) {
      const asked = this.#asked.get(id);
      if (asked && !this.#results.has(asked.key)) this.#results.set(asked.key, { ...asked, result });
    }
  }

  of({ mutant, tests }: WaitingMutant): JobResult | undefined {
    return this.#results.get(keyOf(mutant.path, tests))?.result;
  }

  /** Some tests were red when they ran without the others, or in another order. */
  showDependence(suite: readonly string[]): boolean {
    return [...this.#results.values()].some(({ tests, result }) => !isSuite(tests, suite) && result.red.length > 0);
  }

  /** Why no kill counts: all tests together, as they were green before, are red with a comment more. */
  problem(suite: readonly string[]): string | null {
    for (const { path, tests, result } of this.#results.values()) {
      const { red, ending, missing } = result;
      if (!isSuite(tests, suite) || (ending === "completed" && red.length === 0 && missing.length === 0)) continue;
      const names = [...red.map(({ id }) => id), ...missing].slice(0, 3).join(", ");
      const what = ending === "completed" ? `not green: ${names}` : `the tests end otherwise (${ending})`;
      return `with nothing but a comment added to ${path}, ${what}; no mutant of it tells anything`;
    }
    return null;
  }
}

/** All tests, in the order in which they were green: the likeliest first is another order. */
export const isSuite = (tests: readonly string[], suite: readonly string[]): boolean =>
  tests.length === suite.length && suite.every((id, place) => tests[place] === id);

const keyOf = (path: string, tests: readonly string[]) => `${path}\0${tests.join("\0")}`;
