import type { Mutant, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { RunLines } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { WaitingMutant } from "./mutant-queue.ts";

const FAILS: Partial<Record<string, string>> = {
  python: "raise RuntimeError('not loaded')\n",
  javascript: 'throw new Error("not loaded");\n',
  typescript: 'throw new Error("not loaded");\n',
  tsx: 'throw new Error("not loaded");\n',
};

/**
 * Files of which no line was seen to run, such as the settings of a linter. Each small change of one would have to meet
 * every test. First the file fails as soon as it is loaded: where no test notices that, none notices anything less.
 */
export class UnseenFiles {
  readonly #held: Map<string, WaitingMutant[]>;
  readonly #asked = new Map<string, string>();

  constructor(waiting: readonly WaitingMutant[], lines: RunLines | null) {
    const isUnseen = ({ mutant: { path } }: WaitingMutant) =>
      (lines?.get(path)?.size ?? 0) === 0 && FAILS[grammarOf(path) ?? ""] !== undefined;
    const files = Map.groupBy(waiting.filter(isUnseen), ({ mutant }) => mutant.path);
    this.#held = new Map([...files].filter(([, own]) => own.length > 1));
  }

  holds(mutant: Mutant): boolean {
    return this.#held.has(mutant.path);
  }

  /** The files that fail, each as a mutant of its own. */
  asked(): WaitingMutant[] {
    return [...this.#held].map(([path, [first]]) => {
      const id = `${path} fails`;
      this.#asked.set(id, path);
      const replacement = FAILS[grammarOf(path) ?? ""] ?? "";
      const place = { path, line: 1, statement: { from: 1, to: 1 }, from: 0, to: 0 };
      const mutant: Mutant = { id, ...place, operator: "removal", replacement, description: "it cannot be loaded" };
      return { mutant, tests: first?.tests ?? [], alone: false };
    });
  }

  /** What follows for the mutants of a file: null when this is none of the files that fail. */
  told(result: MutantResult): { settled: MutantResult[]; open: WaitingMutant[] } | null {
    const path = this.#asked.get(result.mutant.id);
    if (path === undefined) return null;
    const own = this.#held.get(path) ?? [];
    if (result.fate !== "survived") return { settled: [], open: own };
    const reason = "no test loads this file";
    const settled = own.map(({ mutant }) => ({ ...result, mutant, reason }));
    return { settled, open: [] };
  }
}
