import type { SyntaxNode } from "../../../syntax/parse.ts";
import type { FileReading } from "./reading.ts";

/** Which parts of a node are values that go on to somewhere, by the node's type. Of other nodes all are. */
export interface HandingOn {
  /** Only the part in this field: the right side of an assignment. */
  only: ReadonlyMap<string, string>;
  /** All but the parts in these fields: what is called is not handed on. */
  allBut: ReadonlyMap<string, readonly string[]>;
  never: ReadonlySet<string>;
}

/** A value that goes on to somewhere: not what is called, not what a member is taken of, not a new name. */
export function isHandedOn(node: SyntaxNode, parent: SyntaxNode | null, { only, allBut, never }: HandingOn): boolean {
  if (!parent || never.has(parent.type)) return false;
  const field = only.get(parent.type);
  if (field !== undefined) return node.field === field;
  return !allBut.get(parent.type)?.some((one) => node.field === one);
}

/** An argument of a call that only asks of it, by what is written right before the arguments: `isinstance(x, y)`. */
export const isArgumentOf = (asking: RegExp, reading: FileReading, args: SyntaxNode): boolean =>
  asking.test(reading.source.slice(Math.max(0, args.from - 24), args.from));
