import {
  type AndOr,
  type Assignment,
  type Command,
  forEachChild,
  type Pipeline,
  type Script,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { endlessLoop, forkBombs } from "./bombs.ts";
import { fillsDisk, startsWithoutEnd } from "./disk-fillers.ts";
import { judgeEvaluated, judgePrompt, judgeTest } from "./evaluated-text.ts";
import { type Flow, flowOf, still, union } from "./flow.ts";
import type { Judging, Setting } from "./judging/judging.ts";
import { judgeVariable } from "./judging/variables.ts";
import { producedBy } from "./produced-by.ts";
import { judgeRedirects } from "./redirects.ts";
import { readingsOf } from "./shell/command-readings.ts";
import { expandUnsplit, expandWord } from "./shell/expand-word.ts";
import { textField } from "./shell/field.ts";

/** Names whose meaning everything else relies on. */
const WELL_KNOWN = new Set(
  "cd exit return test [ echo printf eval exec source . command builtin export set unset read true false trap git rm mv cp ls cat sudo env sh bash python python3 node npm npx pip pip3 go make curl wget chmod chown find xargs grep sed awk kill tar touch mkdir pytest".split(
    " ",
  ),
);

/** One script with its own scope; functions that nothing called are looked at in the end. */
export function walkScript(script: Script, setting: Setting, judging: Judging): void {
  const { scope } = setting.around;
  const bombs = forkBombs(scope, judging.step);
  for (const [name, definition] of scope.functions) {
    const place = placed(definition.name, setting);
    if (WELL_KNOWN.has(name)) judging.refuse("shadow.name", textField(name, place.from, place.to));
    if (bombs.has(name)) judging.refuse("bomb.fork", textField(`${name}()`, place.from, place.to));
  }
  walkStatements(script.commands, setting, judging);
  for (const { body } of scope.replaced) walkNode(body, setting, judging);
  for (const [name, definition] of scope.functions) {
    if (scope.called.has(name) || scope.inherited.has(name)) continue;
    walkNode(definition.body, { ...setting, calling: [...setting.calling, name] }, judging);
  }
}

function walkStatements(statements: readonly Statement[], setting: Setting, judging: Judging): Flow {
  let directories = setting.around.directories;
  for (const statement of statements) {
    judging.step();
    const flow = walkNode(statement.command, at(setting, directories), judging);
    if (!statement.background) directories = union(flow.done, flow.failed);
    // Behind `exit` nothing runs, but whoever reached it by a trick is judged as if it did.
    if (directories.length === 0 && statement !== statements.at(-1)) directories = setting.around.directories;
  }
  return still(directories);
}

export function walkNode(node: SyntaxNode, setting: Setting, judging: Judging): Flow {
  judging.step();
  const { directories } = setting.around;
  switch (node.type) {
    case "Command":
      return walkCommand(node, setting, judging);
    case "Pipeline":
      return walkPipeline(node, setting, judging);
    case "AndOr":
      return walkChain(node, setting, judging);
    case "CompoundList":
      return walkStatements(node.commands, setting, judging);
    case "BraceGroup":
      return walkStatements(node.body.commands, setting, judging);
    case "Subshell":
      walkStatements(node.body.commands, setting, judging);
      return still(directories);
    case "Redirected": {
      const input = judgeRedirects(node.redirects, setting, judging);
      for (const redirect of node.redirects) walkSubstitutions(redirect, setting, judging);
      return walkNode(node.command, { ...setting, input: input ?? setting.input }, judging);
    }
    case "Function":
      return still(directories);
    case "Coproc":
      walkNode(node.body, setting, judging);
      return still(directories);
    case "While":
    case "ArithmeticFor": {
      const bomb = endlessLoop(node);
      const { from, to } = placed(node, setting);
      if (bomb) judging.refuse(bomb, textField("an endless loop", from, to));
      return walkParts(node, setting, judging);
    }
    case "TestCommand":
      judgeTest(node, setting, judging);
      return walkParts(node, setting, judging);
    case "For":
    case "Select":
      for (const word of node.wordlist ?? [])
        for (const field of expandWord(word, setting.around).flat()) judgeEvaluated(field, judging);
      return walkParts(node, setting, judging);
    default:
      return walkParts(node, setting, judging);
  }
}

/** A command with its assignments and redirects, in every reading that its variables allow. */
function walkCommand(command: Command, setting: Setting, judging: Judging): Flow {
  // Every path is resolved from every directory: many long ones make each command dear.
  judging.step(setting.around.directories.join("").length >> 6);
  for (const part of [...command.prefix, ...command.suffix]) walkSubstitutions(part, setting, judging);
  if (command.name) walkSubstitutions(command.name, setting, judging);
  for (const part of command.prefix) if (part.type === "Assignment") judgeAssignment(part, setting, judging);
  const { from, to } = placed(command, setting);
  if (fillsDisk([command])) judging.refuse("bomb.disk", textField("endless output into a file", from, to));

  const readings = readingsOf(command, setting.around);
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

/** Lists are walked in their order, words are searched for substitutions; any part may have been the last to run. */
function walkParts(node: SyntaxNode, setting: Setting, judging: Judging): Flow {
  let reached = setting.around.directories;
  forEachChild(node, (child) => {
    if (child.type === "CompoundList" || child.type === "CaseItem" || child.type === "Elif") {
      const flow = walkNode(child, at(setting, reached), judging);
      reached = union(reached, union(flow.done, flow.failed));
    } else walkSubstitutions(child, setting, judging);
  });
  return still(reached);
}

function walkPipeline(pipeline: Pipeline, setting: Setting, judging: Judging): Flow {
  const [only] = pipeline.commands;
  if (only !== undefined && pipeline.commands.length === 1) {
    const flow = walkNode(only, setting, judging);
    const isNegated = pipeline.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
    return isNegated ? { done: flow.failed, failed: flow.done } : flow;
  }
  const { from, to } = placed(pipeline, setting);
  if (fillsDisk(pipeline.commands)) judging.refuse("bomb.disk", textField("endless output into a file", from, to));
  if (startsWithoutEnd(pipeline.commands)) judging.refuse("bomb.fork", textField("words without end", from, to));
  let { input } = setting;
  for (const command of pipeline.commands) {
    walkNode(command, { ...setting, input }, judging);
    input = producedBy(command, { ...setting, input }, judging.rules);
  }
  return still(setting.around.directories);
}

function walkChain({ commands, operators }: AndOr, setting: Setting, judging: Judging): Flow {
  const [first, ...others] = commands;
  if (first === undefined) return still(setting.around.directories);
  let flow = walkNode(first, setting, judging);
  others.forEach((command, index) => {
    const isAnd = operators[index] === "&&";
    const start = isAnd ? flow.done : flow.failed;
    const next = walkNode(command, at(setting, start.length > 0 ? start : setting.around.directories), judging);
    flow = isAnd
      ? { done: next.done, failed: union(flow.failed, next.failed) }
      : { done: union(flow.done, next.done), failed: next.failed };
  });
  return flow;
}

/** Every `$(…)`, backtick and `<(…)` in a word, however deep. */
function walkSubstitutions(node: SyntaxNode, setting: Setting, judging: Judging): void {
  judging.step();
  if (node.type === "Script") {
    if (node.errors && node.errors.length > 0) {
      const place = placed(node, setting);
      judging.refuse("line.unreadable", textField(node.errors[0]?.message ?? "", place.from, place.to));
    }
    // Escaped backticks are decoded first, so their places are no longer the line's.
    const within = node.source === undefined ? setting.around.within : (setting.around.within ?? { from: 0, to: 0 });
    const inner = { ...setting, depth: setting.depth + 1, around: { ...setting.around, within } };
    walkStatements(node.commands, inner, judging);
    return;
  }
  judgePrompt(node, setting, judging);
  if (isCut(node)) {
    const place = placed(node, setting);
    judging.refuse("line.too-complex", textField("text" in node ? node.text : "", place.from, place.to));
  }
  forEachChild(node, (child) => walkSubstitutions(child, setting, judging));
}

/**
 * `${x/$(a / b)/c}`: the parser takes the first slash for the end of the pattern, also inside of a substitution, and so
 * sees another command than bash does. Where that can be, nothing is believed.
 */
function isCut(node: SyntaxNode): boolean {
  if (node.type === "CommandExpansion") return !/^(\$[({].*[)}]|`.*`)$/s.test(node.text) || node.text === "`";
  if (node.type !== "ParameterExpansion") return false;
  const type = node.operation?.type;
  return (type === "Replace" || type === "Slice" || type === "Unknown") && /[$<>]\(|`|\$\{\s/.test(node.text);
}

const placed = (node: { pos: number; end: number }, { around }: Setting): { from: number; to: number } =>
  around.within ?? { from: node.pos, to: node.end };

const at = (setting: Setting, directories: string[]): Setting => ({
  ...setting,
  around: { ...setting.around, directories },
});
