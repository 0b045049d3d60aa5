import type { FarMachine } from "../../test/postgres/far-machine.ts";

/** Cuts the first worker off from the database, once and for so long. */
export class CableCut {
  readonly far: FarMachine;
  readonly #ms: number;
  readonly #tell: (text: string) => void;
  #cutAt: number | undefined;
  #isOver = false;

  constructor(far: FarMachine, ms: number, tell: (text: string) => void) {
    this.far = far;
    this.#ms = ms;
    this.#tell = tell;
  }

  /** Nothing is cut any more, and nothing will be. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Cuts it when that is due, and mends it when it was cut for long enough. */
  look(isDue: boolean): void {
    if (this.#isOver) return;
    if (this.#cutAt === undefined) {
      if (!isDue) return;
      this.far.cut();
      this.#cutAt = Date.now();
      this.#tell("the first worker is cut off from the database");
      return;
    }
    const passed = Date.now() - this.#cutAt;
    if (passed < this.#ms) return;
    this.far.mend();
    this.#isOver = true;
    this.#tell(`it is back after ${(passed / 1000).toFixed(1)} s`);
  }
}
