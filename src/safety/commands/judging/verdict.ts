import type { ApprovalSubject } from "../../../domain/approval.ts";

/** What the hook says of one command line. `allow` has no reasons. */
export interface CommandVerdict {
  decision: "allow" | "ask" | "deny";
  /** Of the gravest reason; `command` when there is none. */
  subject: ApprovalSubject;
  /** Gravest first, then by place. */
  reasons: CommandReason[];
  /** Installs that were recognised, also those that the list allows: they need the registry. */
  installs: Install[];
}

/** What is said before the code scan has read the code that stands in the line. */
export interface FirstVerdict extends CommandVerdict {
  code: InlineCode[];
}

/** Code that a line runs and holds itself: behind `-c`, in a here-document, in a file that it writes first. */
export interface InlineCode {
  language: "python" | "node" | "go";
  text: string;
  /** Of the file that it is written to, from the workspace on; null when it is in none. */
  path: string | null;
  from: number;
  to: number;
}

export interface CommandReason {
  /** Stable, dotted: `delete.root`, `git.push`. */
  rule: string;
  decision: "ask" | "deny";
  subject: ApprovalSubject;
  /** Half-open range in the judged line; of nested text (`sh -c '…'`) the range of the word that holds it. */
  from: number;
  to: number;
  /** The offending text after quotes and variables were resolved, bounded. */
  text: string;
  message: string;
  instead: string;
}

export interface Install {
  /** `pip`, `npm`, `go`; also managers whose packages no list of ours knows: `apt`, `gem`, `cargo`. */
  manager: string;
  language: "python" | "javascript" | "go" | "other";
  packages: { name: string; version: string | null }[];
  /** The file that names the packages, where the command does not. */
  manifest: string | null;
}
