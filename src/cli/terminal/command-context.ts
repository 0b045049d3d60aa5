import type { Command } from "commander";
import type { ExitCode } from "../text/exit-codes.ts";
import type { Terminal } from "./terminal.ts";

/** What a command works with. */
export interface CommandContext {
  terminal: Terminal;
  /**
   * Sets the exit code of the process; done when it is not called. A plain number is the exit code of
   * somebody else's command, which `sandbox` hands on.
   */
  finish(code: ExitCode | number): void;
  /** Another command, with the words after `miracle`; gives its exit code. */
  call(words: string[]): Promise<number>;
  /** All commands with all their flags. */
  program(): Promise<Command>;
}
