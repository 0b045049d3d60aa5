import type { SyntaxNode } from "../../../syntax/parse.ts";
import { type HandingOn, isHandedOn } from "../reading/handed-on.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { useComment, useOperation, useText } from "../reading/plain-uses.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { argument } from "../reading/use.ts";
import { name, wholeText } from "../reading/value.ts";
import { argumentsOf } from "./go-values.ts";

/** What a node does that a rule may speak of. */
export function useGo(reading: FileReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
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
      if (isHandedOn(node, parent, HANDING_ON)) reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "identifier":
      if (reading.starred.length > 0 && isHandedOn(node, parent, HANDING_ON))
        reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "binary_expression":
      useOperation(reading, node, scope, parent);
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
        const args = [argument(reading.evaluate(value, scope))];
        reading.note("assign", reading.evaluate(target, scope), target, args);
      }
      break;
    }
    case "interpreted_string_literal":
    case "raw_string_literal":
      useText(reading, node, scope);
      break;
    case "comment":
      useComment(reading, node);
      break;
  }
}

const HANDING_ON: HandingOn = {
  only: new Map(),
  allBut: new Map([["call_expression", ["function"]]]),
  never: new Set(["selector_expression", "qualified_type"]),
};

/** `tls.Config{InsecureSkipVerify: true}` */
function useFields(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const body = child(node, "body");
  for (const one of body ? namedChildren(body) : []) {
    const [key, value] = namedChildren(one);
    const inner = value && namedChildren(value)[0];
    if (one.type !== "keyed_element" || !key || !inner) continue;
    const args = [argument(reading.evaluate(inner, scope))];
    reading.note("assign", [name(`{}.${reading.textOf(key)}`)], one, args);
  }
}
