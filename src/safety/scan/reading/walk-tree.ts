import type { SyntaxNode } from "../../../syntax/parse.ts";
import type { Scope } from "./scope.ts";

/** What is done at each node. */
interface TreeWalk {
  /** The scope of what is in a node: its own, or the one around it. The root has none around it. */
  open(node: SyntaxNode, outer: Scope | null): Scope;
  /** Nodes whose parts may not run. */
  conditional: ReadonlySet<string>;
  /** On the way down, with the scope around the node. */
  before?(node: SyntaxNode, scope: Scope, sure: boolean): void;
  /** On the way up, with the scope in the node. */
  after?(node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void;
}

interface Frame {
  node: SyntaxNode;
  scope: Scope;
  sure: boolean;
  parent: SyntaxNode | null;
  next: number;
}

/** Every named node of a tree, without recursion: hostile code may be deeper than the stack. */
export function walkTree(root: SyntaxNode, walk: TreeWalk): void {
  const enter = (node: SyntaxNode, outer: Scope | null, sure: boolean, parent: SyntaxNode | null): Frame => {
    const scope = walk.open(node, outer);
    walk.before?.(node, outer ?? scope, sure);
    const isFresh = scope !== outer;
    return { node, scope, sure: isFresh || (sure && !walk.conditional.has(node.type)), parent, next: 0 };
  };
  const stack = [enter(root, null, true, null)];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const child = frame.node.children[frame.next];
    frame.next += 1;
    if (child) {
      if (!child.named) continue;
      if (child.children.length > 0) stack.push(enter(child, frame.scope, frame.sure, frame.node));
      else {
        // Most nodes: nothing is below them, and none of them opens a scope.
        walk.before?.(child, frame.scope, frame.sure);
        walk.after?.(child, frame.scope, frame.node);
      }
      continue;
    }
    stack.pop();
    walk.after?.(frame.node, frame.scope, frame.parent);
  }
}
