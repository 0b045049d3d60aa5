import {
  type Assignment,
  type Command,
  forEachChild,
  type Function as ShellFunction,
  type SyntaxNode,
  type Word,
} from "unbash";
import type { Field } from "./field.ts";

/** One place that gives a variable a value. */
interface Giver {
  pos: number;
  /** Up to here whatever follows has surely passed it: the end of its branch, loop or body. */
  until: number;
  /** What it may become: one text, an array, each of the words of a loop; anything (`computed`); a number (`tame`). */
  value:
    | { kind: "words"; words: readonly Word[]; holds: "text" | "array" | "each" }
    | { kind: "computed" }
    | { kind: "tame" };
}

/**
 * What one script says of its names, regardless of the order in which it runs: every value a variable is given anywhere
 * counts as possible everywhere, so that no trick with the order of execution hides one.
 */
export interface Scope {
  givers: Map<string, Giver[]>;
  functions: Map<string, ShellFunction>;
  /** Earlier definitions of names that are defined again. */
  replaced: ShellFunction[];
  aliases: Map<string, string>;
  /** Something may set any variable: eval, a sourced file, a name reference. */
  opaque: boolean;
  /** Unquoted text may be cut at other places than blanks. */
  separatorChanged: boolean;
  /** Functions that were called, and so looked at with their arguments. */
  called: Set<string>;
  /** Functions of the shell around, which are looked at there. */
  inherited: Set<string>;
  /** `$1`, `$@` of the function that is looked at; undefined: not known. */
  positional: Field[] | undefined;
  /** `set --` gives them new values. */
  positionalMoves: boolean;
  /** `shift` drops the first ones. */
  shifts: boolean;
}

const SETTERS = new Set(["read", "mapfile", "readarray", "getopts", "wait", "let"]);
const DECLARERS = new Set(["export", "declare", "typeset", "local", "readonly"]);

export function readScope(script: SyntaxNode): Scope {
  const scope: Scope = {
    givers: new Map(),
    functions: new Map(),
    replaced: [],
    aliases: new Map(),
    opaque: false,
    separatorChanged: false,
    called: new Set(),
    inherited: new Set(),
    positional: undefined,
    positionalMoves: false,
    shifts: false,
  };
  collect(script, scope, Number.POSITIVE_INFINITY);
  return scope;
}

/** Each child of these is reached perhaps, and what it sets holds in itself alone. */
const UNCERTAIN = new Set([
  "If",
  "While",
  "For",
  "ArithmeticFor",
  "Select",
  "Case",
  "Function",
  "Subshell",
  "Pipeline",
]);
const DETACHED = new Set(["CommandExpansion", "ProcessSubstitution", "Coproc", "ArithmeticCommandExpansion"]);

function collect(node: SyntaxNode, scope: Scope, until: number): void {
  if (node.type === "Command") collectCommand(node, scope, until);
  else if (node.type === "For" || node.type === "Select") {
    give(scope, node.name.value, {
      pos: node.pos,
      until: node.end,
      value: node.wordlist ? { kind: "words", words: node.wordlist, holds: "each" } : { kind: "computed" },
    });
  } else if (node.type === "Function") {
    const earlier = scope.functions.get(node.name.value);
    if (earlier) scope.replaced.push(earlier);
    scope.functions.set(node.name.value, node);
  } else if (node.type === "ArithmeticBinary" && node.operator.endsWith("=")) {
    if (node.left.type === "ArithmeticWord")
      give(scope, node.left.value, { pos: node.pos, until: 0, value: { kind: "tame" } });
  } else if (
    node.type === "ParameterExpansion" &&
    node.operation?.type === "Default" &&
    node.operation.operator.endsWith("=")
  ) {
    const words = [node.operation.operand];
    give(scope, node.parameter, { pos: node.pos, until: 0, value: { kind: "words", words, holds: "text" } });
  }
  const isUncertain = UNCERTAIN.has(node.type) || DETACHED.has(node.type);
  const isChain = node.type === "AndOr" && node.operators.every((operator) => operator === "&&");
  let first = true;
  forEachChild(node, (child) => {
    let end = isUncertain ? Math.min(until, child.end) : until;
    if (node.type === "AndOr" && !first) end = isChain ? Math.min(until, node.end) : 0;
    collect(child, scope, end);
    first = false;
  });
}

function collectCommand(command: Command, scope: Scope, until: number): void {
  const name = command.name?.value;
  for (const part of command.prefix) {
    if (part.type !== "Assignment") continue;
    // Before a command the value lasts for that command alone, but before a special builtin it stays.
    if (part.name === "IFS" && name === "read") continue;
    collectAssignment(part, scope, command.name === undefined ? until : 0);
  }
  if (name === undefined) return;
  const words = command.args.flatMap((arg) => (arg.type === "Word" ? [arg] : []));
  // What a trap sets is set whenever it runs.
  if (name === "trap" && words[0] && /(^|[\s;{(])\w+\+?=/.test(words[0].value)) scope.opaque = true;
  if (name === "eval" || name === "source" || name === "." || name === "builtin") scope.opaque = true;
  if (name === "unset")
    for (const { value } of words) give(scope, value, { pos: command.pos, until: 0, value: { kind: "computed" } });
  if (name === "set" && words.some(({ value }) => !/^[-+]\w/.test(value))) scope.positionalMoves = true;
  if (name === "shift") scope.shifts = true;
  if (SETTERS.has(name))
    for (const { value } of words)
      give(scope, value.replace(/\W.*$/s, ""), { pos: command.pos, until, value: { kind: "computed" } });
  if (name === "printf" && words[0]?.value.startsWith("-v")) {
    const variable = words[0].value === "-v" ? words[1]?.value : words[0].value.slice(2);
    give(scope, variable ?? "", { pos: command.pos, until, value: { kind: "computed" } });
  }
  if (name === "alias") {
    for (const { value } of words) {
      const equals = value.indexOf("=");
      if (equals > 0) scope.aliases.set(value.slice(0, equals), value.slice(equals + 1));
    }
    for (const arg of command.args) {
      if (arg.type === "Assignment" && arg.value.type === "Word") scope.aliases.set(arg.name, arg.value.value);
    }
  }
  if (DECLARERS.has(name)) {
    if (words.some(({ value }) => /^-\w*n/.test(value))) scope.opaque = true;
    for (const arg of command.args) if (arg.type === "Assignment") collectAssignment(arg, scope, until);
  }
}

function collectAssignment(assignment: Assignment, scope: Scope, until: number): void {
  const { name, value, append, index, pos } = assignment;
  if (name === "IFS") scope.separatorChanged = true;
  if (append || index) give(scope, name, { pos, until: 0, value: { kind: "computed" } });
  else if (value.type === "ArrayValue")
    give(scope, name, { pos, until, value: { kind: "words", words: value.elements, holds: "array" } });
  else give(scope, name, { pos, until, value: { kind: "words", words: [value], holds: "text" } });
}

function give(scope: Scope, name: string, giver: Giver): void {
  const givers = scope.givers.get(name);
  if (givers) givers.push(giver);
  else scope.givers.set(name, [giver]);
}
