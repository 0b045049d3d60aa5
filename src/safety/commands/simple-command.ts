import { posix } from "node:path";
import type { Assignment, Command } from "unbash";
import { combined } from "./chunks.ts";
import { fillsDisk } from "./disk-fillers.ts";
import { judgeEvaluated } from "./evaluated-text.ts";
import { expandUnsplit, expandWord } from "./expand-word.ts";
import { type Field, literal, textField } from "./field.ts";
import type { Judging, Setting } from "./judging.ts";
import { NOWHERE } from "./place.ts";
import { judgeRedirects } from "./redirects.ts";
import { judgeVariable } from "./variables.ts";
import { type Flow, placed, still, union, walkSubstitutions } from "./walk.ts";

/** More readings of one command than this are not looked at: it is refused. */
const MOST_READINGS = 32;

/** A command with its assignments and redirects, in every reading that its variables allow. */
export function walkCommand(command: Command, setting: Setting, judging: Judging): Flow {
  // Every path is resolved from every directory: many long ones make each command dear.
  judging.step(setting.around.directories.join("").length >> 6);
  for (const part of [...command.prefix, ...command.suffix]) walkSubstitutions(part, setting, judging);
  if (command.name) walkSubstitutions(command.name, setting, judging);
  for (const part of command.prefix) if (part.type === "Assignment") judgeAssignment(part, setting, judging);
  const { from, to } = placed(command, setting);
  if (fillsDisk([command])) judging.refuse("bomb.disk", textField("endless output into a file", from, to));

  const readings = readingsOf(command, setting);
  const input = judgeRedirects(command.redirects, setting, judging, command);
  if (readings === undefined) {
    judging.refuse("line.too-complex", textField("too many readings", from, to));
    return still(setting.around.directories);
  }
  let flow: Flow = { done: [], failed: [] };
  for (const words of readings) {
    judging.run(words, { ...setting, input: input ?? setting.input });
    const next = flowOf(words, setting.around.directories);
    flow = { done: union(flow.done, next.done), failed: union(flow.failed, next.failed) };
  }
  return flow;
}

/** All combinations of what the words may become, or undefined when they are too many. */
export function readingsOf(command: Command, { around }: Setting): Field[][] | undefined {
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
function assignmentField(assignment: Assignment, around: Setting["around"]): Field[] {
  const { name, value, pos, end, append } = assignment;
  const { from, to } = around.within ?? { from: pos, to: end };
  const head = { kind: "text" as const, text: `${name}${append ? "+" : ""}=` };
  const [field] = value.type === "Word" ? expandUnsplit(value, around) : [];
  return [{ pieces: [head, ...(field?.pieces ?? [])], from, to }];
}

function judgeAssignment(assignment: Assignment, setting: Setting, judging: Judging): void {
  const { from, to } = placed(assignment, setting);
  const values =
    assignment.value.type === "Word"
      ? expandUnsplit(assignment.value, setting.around)
      : assignment.value.elements.flatMap((word) => expandWord(word, setting.around).flat());
  for (const value of values.length > 0 ? values : [textField("", from, to)]) {
    judgeVariable(assignment.name, { ...value, from, to }, judging);
    judgeEvaluated({ ...value, from, to }, judging);
  }
}

/** Where a command leaves the shell. */
function flowOf(words: Field[], directories: string[]): Flow {
  const [name, ...others] = words;
  const program = literal(name);
  if (program === "exit" || program === "return") return { done: [], failed: [] };
  if (program === "popd" || program === "dirs") return still([NOWHERE, ...directories]);
  if (program !== "cd" && program !== "pushd") return still(directories);
  const operand = others.find((field) => !/^-[LPe@]+$|^--$/.test(literal(field) ?? ""));
  const target = operand === undefined ? "~" : literal(operand);
  if (target === undefined || target === "-" || target.startsWith("+") || target.startsWith("~"))
    return { done: [NOWHERE], failed: directories };
  const done = directories.map((directory) => {
    if (directory === NOWHERE && !target.startsWith("/")) return NOWHERE;
    const path = posix.resolve(directory === NOWHERE ? "/" : directory, target);
    // Nobody works so deep.
    return path.length > 512 ? NOWHERE : path;
  });
  return { done, failed: directories };
}
