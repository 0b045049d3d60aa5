import { z } from "zod";
import type { ReflectorResult } from "../../agents/finish.ts";
import { MemoryKind } from "../../domain/memory/memory-record.ts";
import type { EventBody } from "../../domain/task/event.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import type { StepContext } from "../../journal/strand.ts";
import type { NewLesson } from "../../memory/new-record.ts";
import { type Asked, Recall } from "../../memory/recalled.ts";
import type { TaskMemory } from "../../memory/task-memory.ts";
import type { GateVerdict } from "../../verify/gate/gate.ts";
import { bestEffort, shorn } from "../hands/best-effort.ts";
import type { Run } from "../hands/run.ts";

/** The work that memory is about, and its starting point. */
export interface RememberedWork {
  /** The todo's id, or the attempt's name if there is no todo. */
  name: string;
  /** What the coder is about to do, in words. Absent: memory is not searched before the first turn. */
  about?: string;
  language: string;
  tree: string;
  /** Errors of earlier attempts at the same work. */
  openErrors: OpenError[];
}

/** An error that occurred and is not mended yet. */
export interface OpenError {
  error: string;
  test: string;
  iteration: number;
  /** The latest tree with this error. */
  tree: string;
  reason: string | null;
}

export const KeptRecords = z.lazy(() => z.array(z.object({ id: z.string(), kind: MemoryKind, isNew: z.boolean() })));

const MOST_ERRORS = 3;
const MOST_OPEN = 8;

/**
 * What one todo reads from memory and writes to it. Each search and each write is a step; with memory off there are
 * none. Memory keeps only what the coder saw: output of visible tests, the coder's own change, the reflector's words.
 */
export class TodoMemory {
  readonly #run: Run;
  readonly #work: RememberedWork;
  readonly #memory: TaskMemory | null;
  #open: OpenError[];
  /** The text that the next prompts of coder and reflector quote. */
  text = "";

  constructor(run: Run, work: RememberedWork) {
    this.#run = run;
    this.#work = work;
    // Iteration 0: these errors come from before the first iteration of this attempt.
    this.#open = work.openErrors.map((error) => ({ ...error, iteration: 0 }));
    this.#memory = run.settings.memory.use ? run.parts.memory : null;
  }

  /** Errors that occurred and are not mended yet. */
  get openErrors(): OpenError[] {
    return this.#open;
  }

  /** Called before the first turn: finds how similar work was done before, and what went wrong in it. */
  async begin(iteration: number): Promise<void> {
    const { about } = this.#work;
    if (iteration > 1 || about === undefined) return;
    await this.#recall(iteration, { cause: "goal", text: about });
  }

  /** A red iteration: its errors are kept, still without a remedy. */
  async meet(iteration: number, tree: string, reasons: GateVerdict["reasons"]): Promise<void> {
    const errors = reasons.filter(isError).slice(0, MOST_ERRORS);
    if (errors.length === 0) return;
    const met = errors.map(
      ({ id, message }): OpenError => ({ error: withoutEnding(message), test: id, iteration, tree, reason: null }),
    );
    const again = new Set(met.map(({ error }) => error));
    this.#open = [...met, ...this.#open.filter(({ error }) => !again.has(error))].slice(0, MOST_OPEN);
    await this.#learn(iteration, met, null);
  }

  /** Finds what helped against such errors before, for the reflector and for the coder's next iteration. */
  async lookUp(iteration: number): Promise<void> {
    const errors = this.#open.filter((met) => met.iteration === iteration).map(({ error }) => error);
    this.text = "";
    if (errors.length > 0) await this.#recall(iteration + 1, { cause: "error", errors });
  }

  /** Adds an explanation to the errors: a reflector's lesson, or else what it or a reviewer would change. */
  reflected(iteration: number, { lesson, hypothesis }: Pick<ReflectorResult, "lesson" | "hypothesis">): void {
    for (const met of this.#open) if (met.iteration === iteration) met.reason = lesson?.trim() || hypothesis;
  }

  /** Called when the tests are green: the change since each error mended it. */
  async mended(iteration: number, tree: string): Promise<void> {
    const mended = this.#open.filter((met) => met.tree !== tree);
    this.#open = [];
    if (mended.length > 0) await this.#learn(iteration, mended, tree);
  }

  async #recall(iteration: number, asked: Asked): Promise<void> {
    const memory = this.#memory;
    if (!memory) return;
    const { name: todo, language } = this.#work;
    const input = { asked, todo, language };
    const recalled = await this.#run.step(
      { kind: "tool", name: iterationStep(iteration, "recall"), input, output: Recall, durable: false },
      async ({ emit }) => {
        const found = await bestEffort(this.#run.parts, emit, () => memory.recall(asked, language));
        if (!found) return { text: "", tokens: 0, shown: [], heldBack: [] };
        const { shown, heldBack, tokens } = found;
        emit({ type: "memory-recalled", todo, iteration, cause: asked.cause, shown, heldBack, tokens });
        return found;
      },
    );
    this.text = recalled.text;
  }

  async #learn(iteration: number, met: readonly OpenError[], green: string | null): Promise<void> {
    const memory = this.#memory;
    if (!memory) return;
    await this.#run.step(
      {
        kind: "tool",
        name: iterationStep(iteration, "learn"),
        input: { todo: this.#work.name, met, green },
        output: KeptRecords,
        // Memory has already written it to disk, with a reference to this step.
        durable: false,
      },
      async ({ path, emit }: StepContext) => {
        const kept = await bestEffort(this.#run.parts, emit, async () =>
          memory.keep(path, await this.#lessons(met, green), green !== null),
        );
        if (!kept) return [];
        emit({ type: "memory-kept", records: kept } satisfies EventBody);
        return kept;
      },
    );
  }

  async #lessons(met: readonly OpenError[], green: string | null): Promise<NewLesson[]> {
    const { goal } = this.#run.request;
    const { artifacts } = this.#run.parts;
    const { language, name, tree: base } = this.#work;
    const lessons: NewLesson[] = [];
    for (const { error, test, tree, reason } of met) {
      lessons.push({
        kind: "lesson",
        error,
        language,
        goal,
        context: `${name}: ${test}`,
        failedCode: shorn(await artifacts.diff(base, tree)),
        diff: green === null ? null : shorn(await artifacts.diff(tree, green)),
        reason: green === null ? null : reason,
      });
    }
    return lessons;
  }
}

/** The gate's own words about a test that is missing say nothing that could be met again elsewhere. */
const isError = ({ message }: GateVerdict["reasons"][number]): boolean =>
  message.trim() !== "" && !/^(?:the test (?:did not run|was skipped)|this test passed before)/.test(message);

/** Removes the exit code that the gate adds. With it, all failed commands would look similar. */
const withoutEnding = (message: string): string => message.replace(/\nexit code \d+$/, "");
