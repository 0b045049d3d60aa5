import { setImmediate } from "node:timers/promises";

/** Long work over files is synchronous, for speed. This lets timers, signals and the live view run in between. */
export class Breather {
  #since = performance.now();

  get due(): boolean {
    return performance.now() - this.#since > 10;
  }

  async breathe(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
