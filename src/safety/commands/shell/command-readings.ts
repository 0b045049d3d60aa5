import type { Assignment, Command } from "unbash";
import { combined } from "./chunks.ts";
import { expandUnsplit, expandWord } from "./expand-word.ts";
import type { Field } from "./field.ts";
import type { Surroundings } from "./surroundings.ts";

/** More readings of one command than this are not looked at: it is refused. */
const MOST_READINGS = 32;

/** All combinations of what the words may become, or undefined when they are too many. */
export function readingsOf(command: Command, around: Surroundings): Field[][] | undefined {
  if (command.name === undefined) return [[]];
  let rows: Field[][] = [[]];
  for (const part of [command.name, ...command.args]) {
    const choices = part.type === "Word" ? expandWord(part, around) : [assignmentField(part, around)];
    rows = combined(rows, choices);
    if (rows.length > MOST_READINGS) return undefined;
  }
  return rows;
}

/** `X=1` behind a command: one word, `export` and `env` see it as it stands. */
function assignmentField(assignment: Assignment, around: Surroundings): Field[] {
  const { name, value, pos, end, append } = assignment;
  const { from, to } = around.within ?? { from: pos, to: end };
  const head = { kind: "text" as const, text: `${name}${append ? "+" : ""}=` };
  const [field] = value.type === "Word" ? expandUnsplit(value, around) : [];
  return [{ pieces: [head, ...(field?.pieces ?? [])], from, to }];
}
