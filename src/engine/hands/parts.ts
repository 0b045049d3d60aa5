import type { ApprovalAnswer, ApprovalRequest, ApprovalSubject } from "../../domain/approval.ts";
import type { ToldMessage } from "../../domain/plan/amendment.ts";
import type { Left, Spent } from "../../domain/plan/budget-share.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import type { Unanswered } from "../../domain/settings/safety-settings.ts";
import type { Faults } from "../../faults.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Model } from "../../llm/model.ts";
import type { TaskMemory } from "../../memory/task-memory.ts";
import type { Hooks } from "../../safety/hooks/hooks.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore, Owner } from "../../workspace/artifact-store.ts";
import type { Checkouts } from "./checkout.ts";
import type { Warden } from "./warden.ts";

/** Everything the engine works with, chosen by app.ts. In a replay no effect runs, so only the journal is used. */
export interface EngineParts {
  journal: Journal;
  model: Model;
  artifacts: ArtifactStore;
  sandbox: Sandbox;
  languages: Languages;
  parsers: SyntaxParsers;
  checkouts: Checkouts;
  /** Who the files of a checkout belong to, when not to this process. */
  checkoutOwner: Owner | null;
  warden: Warden;
  hooks: Hooks;
  approvals: Approvals;
  messages: Messages;
  budget: Budget;
  /** Globs that the todo at work may write, where its plan says so. */
  todoFiles?: string[];
  /** Asked and told only where the task's settings say so. */
  memory: TaskMemory;
  onDelta(text: string): void;
  /** For the person, at once: a retry, a fallback. What is recorded of it comes with its step. */
  onNotice(text: string): void;
  /** The run ends with the plan; not frozen, so a resume goes on from it. */
  planOnly?: boolean;
  signal: AbortSignal;
  clock: () => number;
  faults: Faults;
}

export interface Languages {
  /** The language these paths are most likely of; null when nothing tells. */
  detect(paths: string[]): Language | null;
  named(name: LanguageName): Language;
  /** Found once per process. */
  toolchain(language: Language | null, directory: string): Promise<Toolchain>;
}

/** The port to whoever may say yes: the book of questions, the policy in force, a person. */
export interface Approvals {
  book: Book;
  policy: ApprovalPolicy;
  /** Absent when nobody is there. Rejects when the signal says that an answer has come from elsewhere. */
  ask?: (request: ApprovalRequest, signal: AbortSignal) => Promise<Omit<ApprovalAnswer, "at">>;
}

/** Where questions and answers are written down, for everybody to see. */
export interface Book {
  /** Writes the question down once, however often it is put. Returns its answer if there is one. */
  open(request: ApprovalRequest): Promise<ApprovalAnswer | null>;
  /** Returns the answer that counts: this one, or one that came before it. */
  answer(id: string, answer: ApprovalAnswer): Promise<ApprovalAnswer>;
  answerTo(id: string): Promise<ApprovalAnswer | null>;
}

export interface ApprovalPolicy {
  /** Subjects that are allowed, each with the words that allowed it: `--approve deps`. */
  allowed: Partial<Record<ApprovalSubject, string>>;
  unanswered: Unanswered;
}

/** The port to what people say to a task that is under way. */
interface Messages {
  /** The oldest that was not heard. Read inside effects, and where nothing is recorded any more. */
  next(): Promise<ToldMessage | null>;
}

/** What the task may still spend, and what its strands have spent. Read inside effects only. */
export interface Budget {
  left(): Promise<Left>;
  /** By all steps whose path begins so. */
  spent(prefix: string): Promise<Spent>;
}
