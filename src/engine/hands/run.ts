import { z } from "zod";
import { type Conclusion, converse, type ToolUse } from "../../agents/converse.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Message, Role, ToolSchema } from "../../domain/message.ts";
import { type Difficulty, rungOf } from "../../domain/plan/difficulty.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { summaryModels } from "../../domain/settings/summary-models.ts";
import { windowOf } from "../../domain/settings/window.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { TaskRequest } from "../../domain/task/task.ts";
import type { StepContext, StepSpec, Strand } from "../../journal/strand.ts";
import type { EngineParts } from "./parts.ts";

/** The tools of a role. Each use of a tool is a step and returns the text for the model. */
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
  /** The schema of `finish`, if it differs from the usual one of the role. */
  finish?: ToolSchema["parameters"];
  /** How difficult the work looks and how often it failed. Given where that chooses the model. */
  effort?: { difficulty: Difficulty; failures: number };
  /** Returns why this result cannot be accepted, so that the model can correct it. */
  check?(result: Result): Promise<string | undefined>;
  /** Decides whether a plain text without a tool call ends the work. Undefined: it does not. */
  onText?(text: string, turn: number): Result | undefined;
  /** Decides after the tools of a turn whether the work is done by them. Undefined: it is not. */
  onTools?(said: string): Result | undefined;
  /** Counts tokens. It is called for recorded answers, too. */
  onTokens?(tokens: number): void;
}

/** The part of a strand that takes steps. */
export type Steps = Pick<Strand, "step" | "isNext">;

/** A step whose only effect is to emit events. */
export type Note = Omit<StepSpec<null>, "output">;

/**
 * One strand of a task at work: its steps, the settings it was started with, and the parts it works with. It is the
 * first parameter of every function of the engine. Delivery needs fewer parts than the rest, and its types say which.
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

  /** The name of the strand: `todo:parser/debug`. */
  get name(): string {
    return this.#strand.name;
  }

  /** The hash of the last step that this run has passed on the strand. */
  get head(): string {
    return this.#strand.head;
  }

  /** How many steps of the strand this run has passed. */
  get position(): number {
    return this.#strand.position;
  }

  /** Returns the recorded output of the effect. Runs the effect now if it never ran. */
  step<T>(spec: StepSpec<T>, effect: (context: StepContext) => Promise<T>): Promise<T> {
    return this.#strand.step(spec, effect);
  }

  /** Emits events once: a resume or a replay passes this step silently. */
  async note(note: Note, ...events: EventBody[]): Promise<void> {
    await this.#strand.step({ ...note, output: z.null() }, async ({ emit }) => {
      for (const event of events) emit(event);
      return null;
    });
  }

  /** For a step that is only taken when something comes from outside: see `Strand.isNext`. */
  isNext(name: string): boolean | undefined {
    return this.#strand.isNext(name);
  }

  /** The time when this step was first reached. */
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

  /** What a role is told and may use, as the task froze it. */
  frozenFor(role: Role): { prompt: string; tools: ToolSchema[] } {
    const { prompts, tools } = this.parts.journal.frozen;
    return { prompt: prompts[role], tools: tools[role] };
  }

  /** Asks a role. Returns null when there is no usable answer: none in time, or none that can be parsed. */
  async ask<Result>(this: Run, role: Role, question: Question<Result>): Promise<Result | null> {
    try {
      const conclusion = await this.converse(role, question);
      return conclusion.ended === "finished" ? conclusion.result : null;
    } catch (error) {
      if (isUnusable(error)) return null;
      throw error;
    }
  }

  /** Like `ask`, for work that needs an answer: throws when the answer cannot be parsed. */
  converse<Result>(this: Run, role: Role, question: Question<Result>): Promise<Conclusion<Result>> {
    const { model, signal, onDelta, onHeard, onNotice } = this.parts;
    const { effort, finish, workbench, ...asked } = question;
    const { windows, summaries } = this.settings;
    const chosen = this.settings.models[role];
    const { prompt, tools } = this.frozenFor(role);
    return converse({
      ...asked,
      strand: this.#strand,
      role,
      model,
      parameters: chosen.parameters,
      rung: effort ? rungOf(chosen, effort.difficulty, effort.failures) : 0,
      prompt,
      schemas: finish ? tools.map((tool) => (tool.name === "finish" ? { ...tool, parameters: finish } : tool)) : tools,
      window: windowOf(chosen.models, windows),
      summaryWindow: summaries && windowOf(summaryModels(role, this.settings), windows),
      signal,
      onDelta,
      onHeard,
      onNotice,
      useTool: (use) => workbench.use(question.name, role, use),
    });
  }
}

/** True if the model gave no usable answer. */
export const isUnusable = (error: unknown): error is TerminalFailure =>
  error instanceof TerminalFailure && error.failure.code === "model.invalid-output";
