import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";

/** What ends a role's work without a last turn that only says so. The gate still judges the result for itself. */
export interface FinishLine {
  /** Whether a run of tests shows all that must be green. */
  isGreen(report: TestReport): boolean;
  /** Commands that must succeed, too. */
  commands: string[];
}

const TESTS = "tests";

/** What of it was seen to hold on the tree as it is. Any change of a file makes all of it open again. */
export class FinishWatch {
  readonly #line: FinishLine;
  readonly #begun: string;
  readonly #met = new Set<string>();
  #tree: string;

  constructor(line: FinishLine, tree: string) {
    this.#line = line;
    this.#begun = tree;
    this.#tree = tree;
  }

  /** False while no file has changed: what held before the work says nothing of it. */
  get isReached(): boolean {
    const wanted = [TESTS, ...this.#line.commands];
    return this.#tree !== this.#begun && wanted.every((one) => this.#met.has(one));
  }

  shownBy(report: TestReport): string[] {
    return this.#line.isGreen(report) ? [TESTS] : [];
  }

  metBy(command: string, { ending, exitCode }: CommandResult): string[] {
    const isSuccess = ending === "exited" && exitCode === 0;
    return isSuccess ? this.#line.commands.filter((wanted) => wanted === command.trim()) : [];
  }

  /** A tool was used, and left this tree. */
  saw(tree: string, met: readonly string[]): void {
    if (tree !== this.#tree) this.#met.clear();
    this.#tree = tree;
    for (const one of met) this.#met.add(one);
  }
}
