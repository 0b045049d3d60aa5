import type { SyntaxNode } from "../../../syntax/parse.ts";
import { namedChildren } from "./nodes.ts";
import type { FileReading } from "./reading.ts";
import type { Scope } from "./scope.ts";
import type { Argument } from "./use.ts";
import type { Value, Values } from "./value.ts";

/** A text as it stands, or what it was put together to. */
export function useText(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const [value] = reading.evaluate(node, scope);
  if (value?.kind === "text" && !value.assembled) reading.noteText("text", value.text, node);
  else reading.noteAssembled(value ? [value] : [], node);
}

/** `a + b + c`: the outermost is the whole text. */
export function useOperation(reading: FileReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
  if (parent?.type !== node.type) reading.noteAssembled(reading.evaluate(node, scope), node);
}

/** A decorator is called with what stands below it. */
export function useDecorator(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const [decorated] = namedChildren(node);
  if (decorated) reading.note("call", reading.evaluate(decorated, scope), node, [], true);
}

export function useComment(reading: FileReading, node: SyntaxNode): void {
  reading.noteText("comment", reading.textOf(node), node);
}

/** What functions of this file do when they are called with these arguments. */
export function useWithin(
  reading: FileReading,
  called: Values,
  args: readonly Argument[],
  { callee, call }: { callee: SyntaxNode; call: SyntaxNode },
  givenTo: (node: SyntaxNode, args: readonly Argument[]) => Map<string, Values>,
): void {
  for (const value of called) {
    if (value.kind === "function") reading.noteWithin(value, givenTo(value.node, args), callee, call);
  }
}

/** Whether one of them is a name that is meant. */
export const isNamed = (values: Values, meant: (name: string) => boolean): boolean =>
  values.some((value: Value) => value.kind === "name" && meant(value.name));
