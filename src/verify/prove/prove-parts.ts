import type { LanguageName } from "../../domain/plan/spec.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { ScanRules } from "../../safety/scan/scan-rules.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";

export interface ProveRequest {
  directory: string;
  /** A revision; absent: chosen. */
  base?: string;
  accept: string[];
  /** Tests whose expectations the change is meant to end: by id, without its case, or a whole file. */
  superseded: string[];
  /** Places of the change that a person accepts although nothing shows them: a path, or a path and a unit. */
  leave: string[];
  mutationScore: number | null;
  /** For the mutants; 0: none are tried. */
  budgetMs: number;
  /** How long all of it should take at most: what the runs of the suite leave of it is for the mutants. */
  withinMs?: number;
}

/** What proving works with, chosen by app.ts. */
export interface ProveParts {
  /** Names what is kept in the artifact store. */
  task: string;
  artifacts: ArtifactStore;
  sandbox: Sandbox;
  limits: SandboxLimits;
  languages: {
    named(name: LanguageName): Language;
    /** With the packages that this tree asks for, in an environment that `base` describes where no manifest does. */
    toolchain(language: Language | null, directory: string, tree?: string, base?: string): Promise<Toolchain>;
  };
  parsers: SyntaxParsers;
  scanRules(): Promise<ScanRules>;
  /** A directory that holds exactly this tree, and nothing that an earlier run left there. */
  checkout(name: string, tree: string): Promise<string>;
  version: string;
  clock: () => number;
  signal: AbortSignal;
  onProgress(text: string): void;
}
