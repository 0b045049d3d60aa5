import { fieldOf, type Replacement, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { earlyReturn } from "../early-return.ts";
import type { TestNode } from "../test-syntax.ts";
import { type TurnedAssertion, type TwinEdits, turnOne } from "../twin-edits.ts";
import { checkedIn } from "./claims.ts";
import { turnBody } from "./turn-body.ts";

/** For one test of `go test`. */
export function goTwin(text: string, test: TestNode, mark: string): TwinEdits | null {
  return turnOne(assertionsOf(text, test.node, mark)) ?? turnBody(text, test, mark) ?? turnFirst(text, test, mark);
}

/** For a fuzz test, whose body is a function of its own: whatever comes first in it. */
function turnFirst(text: string, { node }: TestNode, mark: string): TwinEdits | null {
  return turnOne(assertionsOf(text, node, mark).map((one) => ({ ...one, always: true })));
}

const SOMETIMES = new Set([
  ...["for_statement", "if_statement", "expression_switch_statement", "type_switch_statement", "select_statement"],
  ...["func_literal", "go_statement", "defer_statement"],
]);

function assertionsOf(text: string, test: SyntaxNode, mark: string): TurnedAssertion[] {
  const found: TurnedAssertion[] = [];
  const end = earlyReturn(test);
  const look = (node: SyntaxNode, always: boolean): void => {
    for (const child of node.children) {
      // A function that returns a value cannot end the test in the middle.
      if (child.type === "func_literal" && fieldOf(child, "result")) continue;
      const replacement = turned(text, child, mark);
      if (replacement) found.push({ replacement, always: always && child.from < end });
      else look(child, always && !SOMETIMES.has(child.type));
    }
  };
  look(test, true);
  return found;
}

/**
 * After the inverted condition nothing else may fail: a passing twin must mean that this condition holds. The original
 * code stays where it never runs, because an unused variable is an error in Go.
 */
function turned(text: string, node: SyntaxNode, mark: string): Replacement | null {
  const checked = checkedIn(text, node);
  const consequence = fieldOf(node, "consequence");
  if (!checked || !consequence) return null;
  const first = fieldOf(node, "initializer");
  const other = fieldOf(node, "alternative");
  const start = first ? `${textOf(text, first)}; ` : "";
  const kept = `else if false ${textOf(text, consequence)}${other ? ` else if false { ${textOf(text, other)} }` : ""}`;
  const code = `{ if ${start}!(${textOf(text, checked.condition)}) { ${checked.told}.Fatal("${mark}") } ${kept}; return }`;
  return { from: node.from, to: node.to, text: code };
}
