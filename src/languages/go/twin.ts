import { fieldOf, type Replacement, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { calleeOf } from "../call-nodes.ts";
import { type TurnedAssertion, type TwinEdits, turnOne } from "../twin-edits.ts";
import { checkedIn } from "./claims.ts";
import { testFunctions } from "./uses.ts";

/** For one test of `go test`. */
export function goTwin(text: string, root: SyntaxNode, name: string, as: string): TwinEdits[] {
  return testFunctions(text, root)
    .filter((test) => test.name === name)
    .map(({ node }) => {
      const named = fieldOf(node, "name");
      const rename = named ? [{ from: named.from, to: named.to, text: as }] : [];
      return turnOne(rename, assertionsOf(text, node));
    });
}

const SOMETIMES = new Set([
  ...["for_statement", "if_statement", "expression_switch_statement", "type_switch_statement", "select_statement"],
  ...["func_literal", "go_statement", "defer_statement"],
]);

function assertionsOf(text: string, test: SyntaxNode): TurnedAssertion[] {
  const found: TurnedAssertion[] = [];
  const look = (node: SyntaxNode, always: boolean): void => {
    for (const child of node.children) {
      // A function that returns a value cannot end the test in the middle.
      if (child.type === "func_literal" && fieldOf(child, "result")) continue;
      const replacement = turned(text, child) ?? turnedCall(text, child);
      if (replacement) found.push({ replacement, always });
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
function turned(text: string, node: SyntaxNode): Replacement | null {
  const checked = checkedIn(text, node);
  const consequence = fieldOf(node, "consequence");
  if (!checked || !consequence) return null;
  const first = fieldOf(node, "initializer");
  const other = fieldOf(node, "alternative");
  const start = first ? `${textOf(text, first)}; ` : "";
  const kept = `else if false ${textOf(text, consequence)}${other ? ` else if false { ${textOf(text, other)} }` : ""}`;
  const code = `{ if ${start}!(${textOf(text, checked.condition)}) { ${checked.told}.Fatal("turned round") } ${kept}; return }`;
  return { from: node.from, to: node.to, text: code };
}

/** Assertions of testify and similar libraries, with their opposites. */
const OPPOSITES: Record<string, string> = Object.fromEntries(
  ["Equal NotEqual", "True False", "Nil NotNil", "NoError Error", "Contains NotContains", "Empty NotEmpty"].flatMap(
    (pair) => {
      const [a = "", b = ""] = pair.split(" ");
      return [
        [a, b],
        [b, a],
        [`${a}f`, `${b}f`],
        [`${b}f`, `${a}f`],
      ];
    },
  ),
);

function turnedCall(text: string, node: SyntaxNode): Replacement | null {
  const call = node.type === "expression_statement" ? node.children.find((child) => child.named) : undefined;
  const callee = call?.type === "call_expression" ? calleeOf(call) : undefined;
  const said = callee ? /^(assert|require)\.(\w+)$/.exec(textOf(text, callee)) : null;
  const opposite = OPPOSITES[said?.[2] ?? ""];
  if (!call || !callee || !said || opposite === undefined) return null;
  const code = `{ ${said[1]}.${opposite}${text.slice(callee.to, call.to)}; return }`;
  return { from: node.from, to: node.to, text: code };
}
