import type { SyntaxNode } from "../../../syntax/parse.ts";
import { add, calculate, pieceOf, pieceOfAll, unescaped } from "../reading/fold-text.ts";
import { grown } from "../reading/growing-text.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { readItems, readNumber } from "../reading/plain-values.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import {
  each,
  eachPair,
  flag,
  HOLE,
  MOST_ITEMS,
  name,
  number,
  text,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";
import { callJavaScript } from "./javascript-calls.ts";
import { FUNCTIONS, returnsOf } from "./javascript-functions.ts";
import { globalNamed, itemOf, keyOf } from "./javascript-members.ts";

/** What an expression may be. */
export function readJavaScript(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const evaluate = (one: SyntaxNode | undefined) => (one ? reading.evaluate(one, scope) : UNKNOWNS);
  if (FUNCTIONS.has(node.type)) return [{ kind: "function", node }];
  switch (node.type) {
    case "identifier":
    case "shorthand_property_identifier":
      return reading.lookUp(reading.identifier(node), node.from, scope, () => [
        globalNamed(reading.identifier(node), false),
      ]);
    case "string":
      return [readString(reading, node)];
    case "template_string":
      return [readTemplate(reading, node, scope)];
    case "number":
      return readNumber(reading.textOf(node));
    case "true":
    case "false":
      return [flag(node.type === "true")];
    case "null":
    case "undefined":
      return [flag(null)];
    case "parenthesized_expression":
    case "await_expression":
    case "as_expression":
    case "satisfies_expression":
    case "non_null_expression":
    case "spread_element":
    case "yield_expression":
    case "expression_statement":
      return evaluate(namedChildren(node)[0]);
    case "type_assertion":
    case "sequence_expression":
      return evaluate(namedChildren(node).at(-1));
    case "this":
      return scope.ofFunction.kind === "module" ? [name("globalThis", true)] : UNKNOWNS;
    case "regex":
      return [text(reading.textOf(child(node, "pattern") ?? node))];
    case "ternary_expression":
      return union(evaluate(child(node, "consequence")), evaluate(child(node, "alternative")));
    case "assignment_expression":
      return evaluate(child(node, "right"));
    case "augmented_assignment_expression":
      return grownBy(reading, node, scope);
    case "unary_expression":
      return each(evaluate(child(node, "argument")), (value) => [negated(node.children[0]?.type ?? "", value)]);
    case "binary_expression": {
      const operator = child(node, "operator")?.type ?? "";
      const left = evaluate(child(node, "left"));
      const right = evaluate(child(node, "right"));
      if (["||", "&&", "??"].includes(operator)) return union(left, right);
      return eachPair(left, right, (one, other) => [operate(operator, one, other)]);
    }
    case "array":
      return [readItems(reading, node, scope, "spread_element")];
    case "object":
      return [readObject(reading, node, scope)];
    case "class_declaration":
    case "class":
      return [name("?class")];
    case "enum_declaration":
      return [readEnum(reading, node, scope)];
    case "import":
      return [name("import")];
    case "meta_property":
      return [name(reading.textOf(node).replace(/\s/g, ""))];
    case "member_expression": {
      const property = child(node, "property");
      const key = property ? text(reading.identifier(property)) : UNKNOWN;
      return each(evaluate(child(node, "object")), (object) => itemOf(reading, object, key, false));
    }
    case "subscript_expression":
      return eachPair(evaluate(child(node, "object")), evaluate(child(node, "index")), (object, key) =>
        itemOf(reading, object, key, true),
      );
    case "call_expression":
    case "new_expression":
      return callJavaScript(reading, node, scope);
    default:
      return UNKNOWNS;
  }
}

/** `s += "al"`: whatever s was, with this behind it, or this alone. */
function grownBy(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!left || !right) return UNKNOWNS;
  const more = reading.evaluate(right, scope);
  if (left.type !== "identifier") return more;
  const identifier = reading.identifier(left);
  return union(grown(scope.holding(identifier), identifier, left.from, more), more);
}

function operate(operator: string, left: Value, right: Value): Value {
  if (operator === "+")
    return left.kind === "list" || right.kind === "list" ? add(flattened(left), flattened(right)) : add(left, right);
  if (left.kind === "number" && right.kind === "number") return calculate(operator, left.number, right.number);
  return UNKNOWN;
}

/** `["ev"] + ["al"]` */
const flattened = (value: Value): Value =>
  value.kind === "list" ? text(value.items.map(pieceOfAll).join(","), true) : value;

function negated(operator: string, value: Value): Value {
  if (value.kind === "number" && operator === "-") return number(-value.number);
  if (value.kind === "number" && operator === "~") return number(~value.number);
  if (value.kind === "number" && operator === "+") return value;
  if (operator === "+" && value.kind === "text") return number(Number(value.text));
  return operator === "!" && value.kind === "flag"
    ? flag(!value.flag)
    : operator === "!" && value.kind === "number"
      ? flag(value.number === 0)
      : UNKNOWN;
}

function readString(reading: FileReading, node: SyntaxNode): Value {
  let content = "";
  let assembled = false;
  for (const part of node.children) {
    if (part.type === "string_fragment") content += reading.textOf(part);
    if (part.type === "escape_sequence") {
      const sequence = reading.textOf(part);
      content += unescaped(sequence);
      // Letters written as numbers are a disguise like any other.
      assembled ||= /^\\(x[4-7]|u00[4-7]|u\{0*[4-7][0-9a-f]\}|1[0-7]{2})/i.test(sequence);
    }
  }
  return text(content, assembled);
}

function readTemplate(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  let content = "";
  let assembled = false;
  for (const part of node.children) {
    if (part.type === "string_fragment") content += reading.textOf(part);
    else if (part.type === "escape_sequence") content += unescaped(reading.textOf(part));
    else if (part.type === "template_substitution") {
      const [inner] = namedChildren(part);
      content += inner ? pieceOfAll(reading.evaluate(inner, scope)) : HOLE;
      assembled = true;
    }
  }
  return text(content, assembled);
}

function readObject(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  const entries = new Map<string, Values>();
  for (const one of namedChildren(node)) {
    const key =
      child(one, "key") ?? child(one, "name") ?? (one.type === "shorthand_property_identifier" ? one : undefined);
    const value = child(one, "value") ?? one;
    if (one.type === "spread_element") {
      for (const spread of reading.evaluate(one, scope)) {
        if (spread.kind === "map") for (const [at, values] of spread.entries) entries.set(at, values);
      }
      continue;
    }
    if (!key) continue;
    const isGetter = one.children.some(({ type }) => type === "get");
    const read = isGetter ? returnsOf(reading, one, reading.scopeOf(one, scope)) : reading.evaluate(value, scope);
    for (const known of keyOf(reading, key, scope)) {
      entries.set(
        wholeText(known) === null && known.kind !== "number" ? `${HOLE}${entries.size}` : pieceOf(known),
        read,
      );
    }
    if (entries.size > MOST_ITEMS) return UNKNOWN;
  }
  return { kind: "map", entries };
}

function readEnum(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  const entries = new Map<string, Values>();
  const body = child(node, "body");
  for (const one of body ? namedChildren(body) : []) {
    const key = child(one, "name");
    const value = child(one, "value");
    if (key && value) entries.set(reading.identifier(key).replace(/["']/g, ""), reading.evaluate(value, scope));
  }
  return { kind: "map", entries };
}
