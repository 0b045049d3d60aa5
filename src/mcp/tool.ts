import type { z } from "zod";
import type { Answer } from "../app/prepare-question.ts";
import type { App, OpenedApp } from "../app.ts";
import type { ConfigFlags } from "../config/flags.ts";
import type { EvidenceDocument } from "../domain/evidence/evidence-document.ts";
import type { Event } from "../domain/task/event.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import type { Places } from "./places.ts";
import type { Runs } from "./runs.ts";

/** What the tools work with. Each call opens the directory's settings anew, as a command does. */
export interface ToolParts {
  places: Places;
  runs: Runs;
  open(directory: string, flags?: ConfigFlags): Promise<OpenedApp>;
  texts: Texts;
}

/** What is said, in the words of the command line. */
interface Texts {
  proof(evidence: EvidenceDocument): string;
  task(app: App, task: TaskSummary): Promise<string>;
  answer(answer: Answer): string;
  /** Null: it says nothing to who reads along. */
  event(event: Event): string | null;
}

/** One call of a tool by a client. */
export interface ToolCall {
  /** The client has taken the call back, or is gone. */
  signal: AbortSignal;
  /** The client's name, as it says it. */
  client: string;
  /** What is under way, for a client that wants to know. */
  say(text: string): void;
  /** What the client's person says; absent: the client cannot ask them. */
  person?: PersonsWord;
}

/** A person is asked by the client: the call ends with the question, and comes again with what they said. */
export type PersonsWord =
  | { said: "nothing yet" }
  | { said: "no answer" }
  | { said: "answer"; granted: boolean; reason: string };

export interface ToolAnswer {
  /** For whoever reads along. */
  text: string;
  /** The same for programs. */
  facts: Record<string, unknown>;
}

/** Something that the client's person is to be asked first. */
interface Asking {
  asks: string;
}

export interface Tool<Input> {
  name: string;
  title: string;
  description: string;
  input: z.ZodType<Input>;
  /** Nothing but records of ours is written. */
  readOnly: boolean;
  answer(input: Input, call: ToolCall): Promise<ToolAnswer | Asking>;
}
