import { printable } from "../text/printable.ts";

/** One thing a run needs, or is better with. */
export interface MachineCheck {
  name: string;
  ok: boolean;
  /** False: only some goals need it. */
  required: boolean;
  text: string;
  /** How it does so, for who wants to know: only --json has it. */
  detail?: string[];
  /** How to get it; empty when there is nothing to do. */
  remedy: string;
}

export const machineCheck = (name: string, ok: boolean, text: string, remedy: string): MachineCheck => ({
  name,
  ok,
  required: true,
  text: printable(text),
  remedy,
});

/** For what only some goals need. */
export const optionalCheck = (name: string, ok: boolean, text: string, remedy: string): MachineCheck => ({
  ...machineCheck(name, ok, text, remedy),
  required: false,
});

export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
