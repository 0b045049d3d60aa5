import { fieldOf } from "../syntax/nodes.ts";
import type { SyntaxNode } from "../syntax/parse.ts";

/** What a call calls; of `new X()` the class. */
export const calleeOf = (node: SyntaxNode): SyntaxNode | undefined =>
  fieldOf(node, "function") ?? fieldOf(node, "constructor");

/** What a call is given, in order. */
export const argumentsOf = (node: SyntaxNode): SyntaxNode[] =>
  fieldOf(node, "arguments")?.children.filter((child) => child.named && child.type !== "comment") ?? [];
