import { type ArithmeticFor, forEachChild, type SyntaxNode, type While } from "unbash";
import type { Scope } from "./shell/scope.ts";

/**
 * Functions that come back to themselves while they start processes: `:(){ :|:& };:`, whatever the name, also by way of
 * others.
 */
export function forkBombs(scope: Scope, step: (count?: number) => void): Set<string> {
  const calls = new Map([...scope.functions].map(([name, { body }]) => [name, calledIn(body, scope)]));
  const reached = new Map([...calls.keys()].map((name) => [name, reachableFrom(name, calls, step)]));
  const bombs = new Set<string>();
  for (const [name, others] of reached) {
    if (!others.has(name)) continue;
    const isFed = [...others].some((other) => {
      step();
      const body = scope.functions.get(other)?.body;
      return reached.get(other)?.has(name) && body !== undefined && some(body, isFork);
    });
    if (isFed) bombs.add(name);
  }
  return bombs;
}

function calledIn(body: SyntaxNode, scope: Scope): Set<string> {
  const called = new Set<string>();
  visit(body, (node) => {
    if (node.type !== "Command" || node.name === undefined) return;
    for (const word of [node.name, ...node.args])
      if (word.type === "Word" && scope.functions.has(word.value)) called.add(word.value);
  });
  return called;
}

function reachableFrom(name: string, calls: Map<string, Set<string>>, step: (count?: number) => void): Set<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    step();
    for (const other of calls.get(next) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return reached;
}

/** `while true` that starts processes without waiting for them, or writes without a pause. */
export function endlessLoop(loop: While | ArithmeticFor): "bomb.fork" | "bomb.disk" | undefined {
  if (!isEndless(loop)) return undefined;
  const foreground = commandNames(loop.body);
  const pauses = ["break", "exit", "return", "wait", "sleep", "read", "inotifywait"];
  if (pauses.some((name) => foreground.has(name))) return undefined;
  if (some(loop.body, (node) => node.type === "Statement" && node.background === true)) return "bomb.fork";
  if (some(loop.body, isFileWrite)) return "bomb.disk";
  return undefined;
}

function isEndless(loop: While | ArithmeticFor): boolean {
  if (loop.type === "ArithmeticFor") return loop.test === undefined;
  const [statement, ...others] = loop.clause.commands;
  const command = statement?.command;
  if (others.length > 0 || command === undefined) return false;
  if (command.type === "ArithmeticCommand") return /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command.type !== "Command") return false;
  const text = [command.name, ...command.args].map((word) => (word?.type === "Word" ? word.value : "")).join(" ");
  return loop.kind === "while"
    ? ["true", ":", "[ 1 ]", "test 1", "/bin/true"].includes(text)
    : ["false", "[ ]"].includes(text);
}

const isFork = (node: SyntaxNode): boolean =>
  (node.type === "Statement" && node.background === true) || (node.type === "Pipeline" && node.commands.length > 1);

const isFileWrite = (node: SyntaxNode): boolean =>
  (node.type === "Redirect" && node.operator.includes(">") && !/^(\d|-|\/dev\/)/.test(node.target?.value ?? "-")) ||
  (node.type === "Command" && /^(tee|cp|dd|tar|mkdir|touch|truncate|fallocate)$/.test(node.name?.value ?? ""));

/** Of commands that the loop waits for. */
function commandNames(body: SyntaxNode): Set<string> {
  const names = new Set<string>();
  visit(body, (node) => {
    if (node.type === "Command" && node.name) names.add(node.name.value);
    return !(node.type === "Statement" && node.background === true);
  });
  return names;
}

function some(node: SyntaxNode, test: (node: SyntaxNode) => boolean): boolean {
  let found = false;
  visit(node, (child) => {
    found ||= test(child);
    return !found;
  });
  return found;
}

/** In source order; `false` leaves the children out. */
function visit(node: SyntaxNode, look: (node: SyntaxNode) => unknown): void {
  if (look(node) === false) return;
  forEachChild(node, (child) => visit(child, look));
}
