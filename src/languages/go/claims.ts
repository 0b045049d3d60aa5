import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { calleeOf } from "../call-nodes.ts";

/** A call that makes a test red: `t.Errorf(…)`, `f.Fatal(…)`. */
const FAILS = /^\w+\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/;

/** A condition of the test and what it does about it: the nearest thing Go has to an assertion. */
export interface Checked {
  /** The whole `if`. */
  node: SyntaxNode;
  condition: SyntaxNode;
  /** The value of type `*testing.T` that is told: `t`. */
  told: string;
}

/** `if got != want { t.Errorf(…) }`. */
export function checkedIn(text: string, node: SyntaxNode): Checked | null {
  const condition = node.type === "if_statement" ? fieldOf(node, "condition") : undefined;
  const consequence = fieldOf(node, "consequence");
  if (!condition || !consequence) return null;
  for (const one of within(consequence)) {
    const callee = one.type === "call_expression" ? calleeOf(one) : undefined;
    const called = callee ? textOf(text, callee) : "";
    if (FAILS.test(called)) return { node, condition, told: called.split(".")[0] ?? "t" };
  }
  return null;
}
