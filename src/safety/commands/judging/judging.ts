import { type Field, shown } from "../shell/field.ts";
import { MOST_PARSING, parseCost } from "../shell/parse-cost.ts";
import type { Surroundings } from "../shell/surroundings.ts";
import type { CommandRules, RuleFoundByCode } from "./command-rules.ts";
import type { CommandReason, InlineCode, Install } from "./verdict.ts";

/** Thrown inside, caught at the front door: the line costs more to judge than it is worth. */
export class TooComplex extends Error {}

/** Work of one judgement: commands, words and nested texts looked at. */
const MOST_STEPS = 10_000;
/** Nested texts are parsed again; together they may be so long. */
const MOST_NESTED = 200_000;
export const DEEPEST = 12;

/** What a call reads from its input, as far as it is known. */
export type Input =
  | { kind: "none" }
  /** A here-document, a here-string, or the words of an echo. */
  | { kind: "text"; field: Field; piped: boolean }
  | { kind: "file"; field: Field }
  /** Paths, one per line; narrowed as in `found` fields. */
  | { kind: "listing"; narrowed: boolean; recursive: boolean }
  | { kind: "pipe" };

/** Everything about the place of a call that its judgement needs. */
export interface Setting {
  around: Surroundings;
  input: Input;
  depth: number;
  /** Functions that are being walked, against recursion. */
  calling: readonly string[];
}

/** One program about to run. */
export interface Call extends Setting {
  name: Field;
  /** The program's name without its directory. */
  base: string;
  words: Field[];
}

/** A file that the line writes, and its text where that is known. */
interface Written {
  path: string;
  text: string | undefined;
  /** Where the line says so. */
  from: number;
  to: number;
}

/**
 * Collects reasons while a line is walked. One per judgement; handlers add to it and hand inner commands back to `run`
 * and `script`, so that no handler knows the others.
 */
export interface Judging {
  rules: CommandRules;
  reasons: Map<string, CommandReason>;
  installs: Install[];
  written: Written[];
  /** Code that the line runs, for the code scan. */
  code: InlineCode[];
  /** True once something runs that may read what the line wrote. */
  executes: boolean;
  /** Counts work, and gives up when there is too much of it. */
  step(count?: number): void;
  /** Counts a text inside of the line that is read again; with `parsed`, what the parser will cost. */
  nested(text: string, parsed?: boolean): void;
  /** One rule speaks once of one text at one place. */
  refuse(rule: RuleFoundByCode | (string & {}), field: Field, detail?: string): void;
  /** Judges a command given as words. */
  run(words: Field[], setting: Setting): void;
  /** Judges text that a shell will read. `own`: in this shell (eval), and not in a new one. */
  script(text: Field, setting: Setting, own?: boolean): void;
}

/** Knows one program's arguments: what it runs, deletes, writes or reaches. */
export type Handler = (call: Call, judging: Judging) => void;

export function openJudging(rules: CommandRules, parts: Pick<Judging, "run" | "script">): Judging {
  let steps = 0;
  let length = 0;
  let cost = 0;
  const reasons = new Map<string, CommandReason>();
  const step = (count = 1): void => {
    steps += count;
    if (steps > MOST_STEPS) throw new TooComplex();
  };
  return {
    ...parts,
    rules,
    reasons,
    installs: [],
    written: [],
    code: [],
    executes: false,
    step,
    nested(text, parsed = false) {
      step(parsed ? 8 : 1);
      length += text.length;
      if (parsed && length <= MOST_NESTED) cost += parseCost(text);
      if (length > MOST_NESTED || cost > MOST_PARSING) throw new TooComplex();
    },
    refuse(name, field, detail) {
      const rule = rules.rules[name];
      // A rule that the user switched off.
      if (rule === undefined) return;
      const { decision, subject, message, instead } = rule;
      const { from, to } = field;
      const text = shorten(detail ?? shown(field));
      const key = `${name} ${from} ${to} ${text}`;
      if (!reasons.has(key)) reasons.set(key, { rule: name, decision, subject, from, to, text, message, instead });
    },
  };
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
