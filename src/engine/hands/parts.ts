import type { ChangedTree } from "../../bus/bus.ts";
import type { ApprovalAnswer, ApprovalRequest, ApprovalSubject } from "../../domain/approval.ts";
import type { ToldMessage } from "../../domain/plan/amendment.ts";
import type { Left, Spent } from "../../domain/plan/budget-share.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import type { Unanswered } from "../../domain/settings/safety-settings.ts";
import type { AddedPackage } from "../../environments/environments.ts";
import type { WantedPackage } from "../../environments/wanted-package.ts";
import type { Faults } from "../../faults.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Model } from "../../llm/model.ts";
import type { TaskMemory } from "../../memory/task-memory.ts";
import type { Hooks } from "../../safety/hooks/hooks.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore, Owner } from "../../workspace/artifact-store.ts";
import type { OutsidePlace } from "../../workspace/outside-place.ts";
import type { Checkouts } from "./checkout.ts";
import type { Warden } from "./warden.ts";

/** Everything the engine works with. app.ts chooses it. In a replay no effect runs, so only the journal is used. */
export interface EngineParts {
  journal: Journal;
  model: Model;
  artifacts: ArtifactStore;
  sandbox: Sandbox;
  languages: Languages;
  packages: Packages;
  parsers: SyntaxParsers;
  checkouts: Checkouts;
  /** The owner of the files in a checkout; null if they belong to this process. */
  checkoutOwner: Owner | null;
  warden: Warden;
  hooks: Hooks;
  /** What a path outside of the workspace names, if a person can be asked for it. Absent: nothing is read there. */
  outside?: (path: string) => OutsidePlace | null;
  approvals: Approvals;
  messages: Messages;
  budget: Budget;
  /** Absent where there are no other workers. */
  lending?: Lending;
  /** Globs of the files that the current todo may write, if its plan limits them. */
  todoFiles?: string[];
  /** Used only if the task's settings turn memory on. */
  memory: TaskMemory;
  onDelta(text: string): void;
  /** A request has left for this model, or a piece of its answer came; it is given up after so long a silence. */
  onHeard(model: string, patienceMs: number): void;
  /** Shows the person a notice at once, for example a retry or a fallback. The record of it comes with its step. */
  onNotice(text: string): void;
  /** Shows how far the proof has come: mutants 12 of 53. Nothing is recorded of it. */
  onProgress(what: string, done: number, of: number): void;
  /** Shows the person what a role has changed. Nothing is recorded of it. */
  onTree(changed: ChangedTree): void;
  /** The run ends after planning. This flag is not frozen into the task, so a resume continues after the plan. */
  planOnly?: boolean;
  signal: AbortSignal;
  clock: () => number;
  faults: Faults;
}

export interface Languages {
  /** The most likely language of these paths; null if they give no sign. */
  detect(paths: string[]): Language | null;
  named(name: LanguageName): Language;
  /**
   * With the packages that this tree asks for; without a tree, those of the directory. What no manifest says, the tree says
   * that the task starts from, or `base`. Looked up once per process.
   */
  toolchain(language: Language | null, directory: string, tree?: string, base?: string): Promise<Toolchain>;
}

/** The port to the indexes of packages. */
export interface Packages {
  /** What the index says of a package, line by line, or why it says nothing. */
  describe(wanted: WantedPackage): Promise<string[]>;
  /** Manifest and lockfile of this tree with one package more, or why that cannot be. Nothing is installed. */
  add(wanted: WantedPackage, tree: string): Promise<AddedPackage | { problem: string }>;
}

/** The port for approvals: the book of questions, the policy in force, and a person to ask. */
export interface Approvals {
  book: Book;
  policy: ApprovalPolicy;
  /** Absent when no person is there. Rejects when the signal says that an answer came from elsewhere. */
  ask?: (request: ApprovalRequest, signal: AbortSignal) => Promise<Omit<ApprovalAnswer, "at">>;
}

/** Where questions and answers are stored, visible to every process. */
export interface Book {
  /** Stores the question once, however often it is asked. Returns its answer if there is one. */
  open(request: ApprovalRequest): Promise<ApprovalAnswer | null>;
  /** Returns the answer that counts: the first one, which may have come before this one. */
  answer(id: string, answer: ApprovalAnswer): Promise<ApprovalAnswer>;
  answerTo(id: string): Promise<ApprovalAnswer | null>;
}

export interface ApprovalPolicy {
  /** Allowed subjects, each with the words that allowed it: `--approve deps`. */
  allowed: Partial<Record<ApprovalSubject, string>>;
  /** Hashes of what a person allowed for always. */
  always: ReadonlySet<string>;
  unanswered: Unanswered;
}

/** The port for messages that people send to a running task. */
interface Messages {
  /** The oldest unheard message. Call it inside effects, or after the end of the recording. */
  next(): Promise<ToldMessage | null>;
}

/** The port to other workers. Their work on a todo is recorded on its strands. */
export interface Lending {
  /** How many have their hands free for this task, and its language. */
  helpers(language: LanguageName): Promise<number>;
  /** Offers a todo to others, and calls `work` when it is this process's own: at once, or when a guest has ended. */
  around<T>(todo: OfferedTodo, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface OfferedTodo {
  id: string;
  /** The strand of its work. */
  strand: string;
  language: LanguageName;
  /** How many todos one worker works on at once. */
  places: number;
  /** What the work begins with, as text. */
  beginning: () => string;
  /** Whether the plan is about to change: a guest is to come back after its iteration. */
  isCalled: () => boolean;
}

/** What the task may still spend, and what its strands have spent. Call it inside effects only. */
export interface Budget {
  left(): Promise<Left>;
  /** The sum over all steps whose path begins with this prefix. */
  spent(prefix: string): Promise<Spent>;
}
