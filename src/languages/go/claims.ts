import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import type { Claims } from "../assertions.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";

/** A call that makes a test red: `t.Errorf(…)`, `f.Fatal(…)`. */
const FAILS = /^\w+\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/;

/** testify and the like. */
const LIBRARY = /^(assert|require|is|must|qt|c|td)\.(\w+)$/;

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

export function goClaims(text: string, body: SyntaxNode): Claims {
  const claims: Claims = { assertions: 0, exact: 0, constant: 0, acts: false };
  const count = (canFail: boolean, exact: boolean) => {
    if (!canFail) claims.constant += 1;
    else {
      claims.assertions += 1;
      if (exact) claims.exact += 1;
    }
  };
  const visit = (node: SyntaxNode): void => {
    const checked = checkedIn(text, node);
    if (checked) {
      const canFail = dependsOnCode(checked.condition) && !sameSides(text, checked.condition);
      count(canFail, /[!=]=|\bEqual\(/.test(textOf(text, checked.condition)));
      claims.acts = true;
    } else if (node.type === "call_expression") {
      const called = textOf(text, calleeOf(node) ?? node);
      const library = LIBRARY.exec(called)?.[2];
      if (library) {
        const given = argumentsOf(node).slice(1);
        const [a, b] = given.map((one) => textOf(text, one));
        count(given.some(dependsOnCode) && !(a === b && given.length > 1), /Equal|Is$|Len|Same/.test(library));
      } else if (FAILS.test(called)) count(true, false);
      else claims.acts = true;
    }
    const inside = checked ? node.children.filter((child) => child !== fieldOf(node, "consequence")) : node.children;
    for (const child of reachable(inside)) visit(child);
  };
  visit(body);
  return claims;
}

/** Nothing after a return runs. */
function reachable(nodes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const end = nodes.findIndex((child) => child.type === "return_statement");
  return end < 0 ? nodes : nodes.slice(0, end + 1);
}

/** Whether the value of this can be anything else than what is written there. */
const dependsOnCode = (node: SyntaxNode): boolean =>
  [...within(node)].some(({ type }) => type === "identifier" || type === "call_expression");

function sameSides(text: string, node: SyntaxNode): boolean {
  const [left, right] = [fieldOf(node, "left"), fieldOf(node, "right")];
  return left !== undefined && right !== undefined && textOf(text, left) === textOf(text, right);
}
