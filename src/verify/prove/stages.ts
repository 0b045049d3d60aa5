/** How long each stage took, in the order in which they began. */
export class Stages {
  readonly #times = new Map<string, number>();
  readonly #began = performance.now();

  /** Without the tools: packages that were installed for the first time take nothing from the mutants. */
  get elapsedMs(): number {
    return performance.now() - this.#began - (this.#times.get("tools") ?? 0);
  }

  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    this.#times.set(stage, this.#times.get(stage) ?? 0);
    try {
      return await work();
    } finally {
      this.#times.set(stage, (this.#times.get(stage) ?? 0) + performance.now() - start);
    }
  }

  list(): { stage: string; ms: number }[] {
    return [...this.#times].map(([stage, ms]) => ({ stage, ms: Math.round(ms) }));
  }
}
