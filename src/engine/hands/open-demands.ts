import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";

/** What ends a role's work without a last turn that only says so. The gate still judges the result for itself. */
export interface Demands {
  /** Whether a run of tests shows all that must be green. */
  isGreen(report: TestReport): boolean;
  /** Commands that must succeed, too. */
  commands: string[];
}

const TESTS = "tests";

/** Which demands were seen to hold on the tree as it is. Any change of a file opens all of them again. */
export class OpenDemands {
  readonly #demands: Demands;
  readonly #begun: string;
  readonly #met = new Set<string>();
  #tree: string;

  constructor(demands: Demands, tree: string) {
    this.#demands = demands;
    this.#begun = tree;
    this.#tree = tree;
  }

  /** False while no file has changed: what held before the work says nothing of it. */
  get areMet(): boolean {
    const wanted = [TESTS, ...this.#demands.commands];
    return this.#tree !== this.#begun && wanted.every((demand) => this.#met.has(demand));
  }

  shownBy(report: TestReport): string[] {
    return this.#demands.isGreen(report) ? [TESTS] : [];
  }

  metBy(command: string, { ending, exitCode }: CommandResult): string[] {
    const isSuccess = ending === "exited" && exitCode === 0;
    return isSuccess ? this.#demands.commands.filter((wanted) => wanted === command.trim()) : [];
  }

  /** A tool was used, and left this tree. */
  saw(tree: string, met: readonly string[]): void {
    if (tree !== this.#tree) this.#met.clear();
    this.#tree = tree;
    for (const demand of met) this.#met.add(demand);
  }
}
