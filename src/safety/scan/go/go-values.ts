import type { SyntaxNode } from "../../../syntax/parse.ts";
import { add, fromBase64, fromHex, join, pieceOfAll, unescaped } from "../reading/fold-text.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { type Argument, singles } from "../reading/use.ts";
import {
  each,
  eachPair,
  flag,
  HOLE,
  list,
  name,
  number,
  text,
  UNKNOWNS,
  union,
  type Value,
  type Values,
} from "../reading/value.ts";

/** What an expression may be. */
export function readGo(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const evaluate = (one: SyntaxNode | undefined) => (one ? reading.evaluate(one, scope) : UNKNOWNS);
  switch (node.type) {
    case "identifier":
    case "package_identifier":
      return reading.lookUp(reading.textOf(node), node.from, scope, () =>
        union(
          [name(reading.textOf(node))],
          // A name without its package is a disguise, whatever else it is.
          ...reading.starred.map((path): Values => [name(`${path}.${reading.textOf(node)}`, true)]),
        ),
      );
    case "interpreted_string_literal":
    case "raw_string_literal":
      return [readText(reading, node)];
    case "int_literal":
    case "float_literal": {
      const value = Number(
        reading
          .textOf(node)
          .replaceAll("_", "")
          .replace(/^0(?=\d)/, "0o"),
      );
      return Number.isNaN(value) ? UNKNOWNS : [number(value)];
    }
    case "true":
    case "false":
      return [flag(node.type === "true")];
    case "nil":
      return [flag(null)];
    case "parenthesized_expression":
    case "literal_element":
    case "expression_list":
    case "type_assertion_expression":
      return evaluate(namedChildren(node)[0]);
    case "unary_expression":
      return evaluate(child(node, "operand"));
    case "binary_expression":
      if (child(node, "operator")?.type !== "+") return UNKNOWNS;
      return eachPair(evaluate(child(node, "left")), evaluate(child(node, "right")), (left, right) => [
        add(left, right),
      ]);
    case "selector_expression":
    case "qualified_type": {
      const field = child(node, "field") ?? child(node, "name");
      const object = child(node, "operand") ?? child(node, "package");
      return each(evaluate(object), (value) => reading.path(value, field ? reading.textOf(field) : "?", false));
    }
    case "composite_literal":
      return readComposite(reading, node, scope);
    case "index_expression":
      return each(evaluate(child(node, "operand")), (value) =>
        value.kind === "list" ? union(...value.items.slice(0, 16), UNKNOWNS) : UNKNOWNS,
      );
    case "call_expression":
    case "type_conversion_expression":
      return readCall(reading, node, scope);
    default:
      return UNKNOWNS;
  }
}

export function argumentsOf(reading: FileReading, node: SyntaxNode, scope: Scope): Argument[] {
  const given = child(node, "arguments");
  return (given ? namedChildren(given) : []).map((one) => ({
    keyword: null,
    values: reading.evaluate(one.type === "variadic_argument" ? (namedChildren(one)[0] ?? one) : one, scope),
    spread: one.type === "variadic_argument",
  }));
}

function readCall(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const callee = child(node, "function");
  const args = argumentsOf(reading, node, scope);
  return each(callee ? reading.evaluate(callee, scope) : UNKNOWNS, (value) => {
    if (value.kind !== "name" || value.name === "?") return UNKNOWNS;
    return [folded(value.name, args) ?? name(`${value.name}()`, value.hidden)];
  });
}

function folded(path: string, args: Argument[]): Value | null {
  const [first, second] = singles(args);
  switch (path) {
    case "string":
      return first?.kind === "text" ? first : null;
    case "strings.Join":
      return first?.kind === "list" && second?.kind === "text" ? join(first.items, second.text) : text(HOLE, true);
    case "fmt.Sprintf":
    case "fmt.Sprint": {
      if (first?.kind !== "text") return text(HOLE, true);
      let next = 1;
      return text(
        first.text.replace(/%[-+# 0-9.]*[a-zA-Z]/g, () => pieceOfAll(args[next++]?.values ?? UNKNOWNS)),
        true,
      );
    }
    case "encoding/base64.StdEncoding.DecodeString":
    case "encoding/base64.URLEncoding.DecodeString":
      return fromBase64(first);
    case "encoding/hex.DecodeString":
      return fromHex(first);
    default:
      return null;
  }
}

function readText(reading: FileReading, node: SyntaxNode): Value {
  let content = "";
  for (const part of node.children) {
    if (part.type === "escape_sequence") content += unescaped(reading.textOf(part));
    else if (part.named) content += reading.textOf(part);
  }
  return text(content);
}

/** `[]string{"a", "b"}` is a list; a struct is known by its type. */
function readComposite(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const type = child(node, "type");
  const body = child(node, "body");
  if (type?.type === "slice_type" || type?.type === "array_type" || type?.type === "implicit_length_array_type") {
    return [list(body ? namedChildren(body).map((one) => reading.evaluate(one, scope)) : [])];
  }
  return type ? reading.evaluate(type, scope) : UNKNOWNS;
}
