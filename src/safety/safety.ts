import type { ApprovalSubject } from "../domain/approval.ts";
import type { Finding } from "../domain/finding.ts";

/** What is said of a command line before it runs. */
export interface CommandRuling {
  decision: "allow" | "ask" | "deny";
  /** Of the gravest reason. */
  subject: ApprovalSubject;
  reasons: { rule: string; text: string; message: string; instead: string }[];
  /** Hosts that it may reach once it is allowed: those it names, the registry of an install. */
  hosts: string[];
  /** Of an install: the registries among them, by language. */
  registries: Partial<Record<string, string[]>>;
  /** Variables that it must run with. */
  env: Record<string, string>;
}

/** One file of a change: its text in the base, and now. */
export interface ChangedFile {
  path: string;
  /** Null: the base has no such file. */
  before: string | null;
  after: string;
}

/** The port to everything that looks at commands and code before they are executed. */
export interface Safety {
  /** Never throws on any line. */
  judgeCommand(line: string): Promise<CommandRuling>;
  /** Findings that the base did not have, in these files. Never throws on any content. */
  scanChange(files: ChangedFile[]): Promise<Finding[]>;
}
