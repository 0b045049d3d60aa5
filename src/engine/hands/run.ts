import { z } from "zod";
import { type Conclusion, converse, type ToolUse } from "../../agents/converse.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Message, Role, ToolSchema } from "../../domain/message.ts";
import { type Difficulty, rungOf } from "../../domain/plan/difficulty.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { windowOf } from "../../domain/settings/window.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { TaskRequest } from "../../domain/task/task.ts";
import type { StepContext, StepSpec, Strand } from "../../journal/strand.ts";
import type { EngineParts } from "./parts.ts";

/** What a role does its work with: each use of a tool is a step, and gives what the model is to read. */
export interface Bench {
  use(name: string, role: Role, call: ToolUse): Promise<string>;
}

export interface Question<Result> {
  /** Names the steps: `iteration:1/code`. */
  name: string;
  briefing: Message[];
  result: z.ZodType<Result>;
  workbench: Bench;
  maxTurns: number;
  /** What `finish` takes here, where that is not what the role's usual work ends with. */
  finish?: ToolSchema["parameters"];
  /** How hard it looks and how often it failed, where that decides which model is asked. */
  effort?: { difficulty: Difficulty; failures: number };
  /** A reason why this result cannot be accepted, for the model to mend. */
  check?(result: Result): Promise<string | undefined>;
  /** Where a plain text without a tool call may end the work; undefined when it does not. */
  onText?(text: string, turn: number): Result | undefined;
  /** Counts tokens; called for recorded answers too. */
  onTokens?(tokens: number): void;
}

/** What only takes steps. */
export type Steps = Pick<Strand, "step">;

/** A step that has no effect but what it tells. */
export type Note = Omit<StepSpec<null>, "output">;

/**
 * One strand of a task at work: its steps, the settings it was started with, and the parts it works with. Every room of
 * the engine takes it first. Those that deliver need fewer parts than others, and say which.
 */
export class Run<Parts extends Pick<EngineParts, "journal"> = EngineParts> {
  readonly parts: Parts;
  readonly #strand: Strand;

  constructor(strand: Strand, parts: Parts) {
    this.#strand = strand;
    this.parts = parts;
  }

  get task(): string {
    return this.parts.journal.task;
  }

  get settings(): Settings {
    return this.parts.journal.frozen.settings;
  }

  get request(): TaskRequest {
    return this.parts.journal.frozen.request;
  }

  /** Of the strand: `todo:parser/debug`. */
  get name(): string {
    return this.#strand.name;
  }

  /** The hash of the last step of the strand that this run has passed. */
  get head(): string {
    return this.#strand.head;
  }

  /** Returns what the effect returned when it was first run, running it now if it never was. */
  step<T>(spec: StepSpec<T>, effect: (context: StepContext) => Promise<T>): Promise<T> {
    return this.#strand.step(spec, effect);
  }

  /** Tells what happened, once: a resume or a replay passes it in silence. */
  async note(note: Note, ...events: EventBody[]): Promise<void> {
    await this.#strand.step({ ...note, output: z.null() }, async ({ emit }) => {
      for (const event of events) emit(event);
      return null;
    });
  }

  /** For a step that is taken only when something came from outside: see `Strand.isNext`. */
  isNext(name: string): boolean | undefined {
    return this.#strand.isNext(name);
  }

  /** The time, as it was when this step was first reached. */
  now(name: string): Promise<number> {
    return this.#strand.now(name);
  }

  /** The same parts on another strand. */
  child<T>(name: string, work: (run: Run<Parts>) => Promise<T>): Promise<T> {
    return this.parts.journal.run(name, (strand) => work(new Run(strand, this.parts)));
  }

  /** The same strand with some other parts. */
  with(parts: Partial<Parts>): Run<Parts> {
    return new Run(this.#strand, { ...this.parts, ...parts });
  }

  /** Puts a question to a role. Null when nothing usable came of it: no answer in time, or none that could be read. */
  async ask<Result>(this: Run, role: Role, question: Question<Result>): Promise<Result | null> {
    try {
      const conclusion = await this.converse(role, question);
      return conclusion.ended === "finished" ? conclusion.result : null;
    } catch (error) {
      if (isUnusable(error)) return null;
      throw error;
    }
  }

  /** The same, for work that cannot go on without an answer: one that cannot be read is thrown. */
  converse<Result>(this: Run, role: Role, question: Question<Result>): Promise<Conclusion<Result>> {
    const { model, signal, onDelta, onNotice, journal } = this.parts;
    const { settings, prompts, tools } = journal.frozen;
    const { effort, finish, workbench, ...asked } = question;
    const chosen = settings.models[role];
    return converse({
      ...asked,
      strand: this.#strand,
      role,
      model,
      parameters: chosen.parameters,
      rung: effort ? rungOf(chosen, effort.difficulty, effort.failures) : 0,
      prompt: prompts[role],
      schemas: finish
        ? tools[role].map((tool) => (tool.name === "finish" ? { ...tool, parameters: finish } : tool))
        : tools[role],
      window: windowOf(chosen.models, settings.windows),
      signal,
      onDelta,
      onNotice,
      useTool: (use) => workbench.use(question.name, role, use),
    });
  }
}

/** The model gave nothing that could be used. */
export const isUnusable = (error: unknown): error is TerminalFailure =>
  error instanceof TerminalFailure && error.failure.code === "model.invalid-output";
