import type { LanguageName } from "../../domain/plan/spec.ts";
import type { Faults } from "../../faults.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Model } from "../../llm/model.ts";
import type { TaskMemory } from "../../memory/task-memory.ts";
import type { Hooks } from "../../safety/hooks/hooks.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore, Owner } from "../../workspace/artifact-store.ts";
import type { Budget } from "../plan/budget-shares.ts";
import type { Approvals } from "./approve.ts";
import type { Checkouts } from "./checkout.ts";
import type { Messages } from "./next-message.ts";
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
