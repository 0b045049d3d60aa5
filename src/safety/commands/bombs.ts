import { type ArithmeticFor, forEachChild, type Function as ShellFunction, type SyntaxNode, type While } from "unbash";
import type { Scope } from "./scope.ts";

/** A function that comes back to itself while it starts processes: `:(){ :|:& };:`, whatever its name, also by way of others. */
export function forkBomb(definition: ShellFunction, scope: Scope): boolean {
  const own = definition.name.value;
  const reached = reachableFrom(own, scope);
  if (!reached.has(own)) return false;
  const circle = [...reached].filter((name) => name === own || reachableFrom(name, scope).has(own));
  return circle.some((name) => {
    const member = scope.functions.get(name);
    return member !== undefined && some(member.body, isFork);
  });
}

function reachableFrom(name: string, scope: Scope): Set<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const body = scope.functions.get(next)?.body;
    if (body === undefined) continue;
    visit(body, (node) => {
      if (node.type !== "Command" || node.name === undefined) return;
      for (const word of [node.name, ...node.args]) {
        if (word.type !== "Word" || reached.has(word.value) || !scope.functions.has(word.value)) continue;
        reached.add(word.value);
        open.push(word.value);
      }
    });
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
  (node.type === "Command" && node.name?.value === "tee");

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
