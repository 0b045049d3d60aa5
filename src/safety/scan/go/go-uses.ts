import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading.ts";
import type { Scope } from "../scope.ts";
import { name, wholeText } from "../value.ts";
import type { GoReading } from "./go-reading.ts";
import { argumentsOf } from "./go-values.ts";

/** What a node does that a rule may speak of. */
export function useGo(reading: GoReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
  switch (node.type) {
    case "call_expression": {
      const callee = child(node, "function");
      if (callee) reading.note("call", reading.evaluate(callee, scope), callee, argumentsOf(reading, node, scope));
      break;
    }
    case "import_spec": {
      const path = child(node, "path");
      const whole = path ? wholeText(reading.evaluate(path, scope)[0]) : null;
      if (path && whole !== null) reading.note("import", [name(whole)], path);
      break;
    }
    case "selector_expression":
      if (isHandedOn(node, parent)) reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "identifier":
      if (reading.dotted.length > 0 && isHandedOn(node, parent))
        reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "binary_expression":
      if (parent?.type !== node.type) reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "composite_literal":
      // `exec.Cmd{Path: …}` is as good as a call.
      reading.note("call", reading.evaluate(node, scope), node, [], true);
      useFields(reading, node, scope);
      break;
    case "assignment_statement": {
      const [target] = namedChildren(child(node, "left") ?? node);
      const [value] = namedChildren(child(node, "right") ?? node);
      if (target && value && target.type === "selector_expression") {
        const args = [{ keyword: null, values: reading.evaluate(value, scope), spread: false }];
        reading.note("assign", reading.evaluate(target, scope), target, args);
      }
      break;
    }
    case "interpreted_string_literal":
    case "raw_string_literal": {
      const whole = wholeText(reading.evaluate(node, scope)[0]);
      if (whole !== null) reading.noteText("text", whole, node);
      break;
    }
    case "comment":
      reading.noteText("comment", reading.textOf(node), node);
      break;
  }
}

function isHandedOn(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent?.type === "call_expression") return node.field !== "function";
  return parent?.type !== "selector_expression" && parent?.type !== "qualified_type";
}

/** `tls.Config{InsecureSkipVerify: true}` */
function useFields(reading: GoReading, node: SyntaxNode, scope: Scope): void {
  const body = child(node, "body");
  for (const one of body ? namedChildren(body) : []) {
    const [key, value] = namedChildren(one);
    const inner = value && namedChildren(value)[0];
    if (one.type !== "keyed_element" || !key || !inner) continue;
    const args = [{ keyword: null, values: reading.evaluate(inner, scope), spread: false }];
    reading.note("assign", [name(`{}.${reading.textOf(key)}`)], one, args);
  }
}
