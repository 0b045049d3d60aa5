import { printable } from "../text/printable.ts";

/** One thing a run needs, or is better with. */
export interface Finding {
  name: string;
  ok: boolean;
  /** False: only some goals need it. */
  required: boolean;
  text: string;
  /** How to get it; empty when there is nothing to do. */
  remedy: string;
}

export const finding = (name: string, ok: boolean, text: string, remedy: string): Finding => ({
  name,
  ok,
  required: true,
  text: printable(text),
  remedy,
});

export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
