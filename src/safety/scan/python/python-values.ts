import type { SyntaxNode } from "../../../syntax/parse.ts";
import { add, calculate, pieceOf, pieceOfAll, slice, unescaped } from "../reading/fold-text.ts";
import { grown } from "../reading/growing-text.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { itemsWithin, readItems, readNumber } from "../reading/plain-values.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import {
  each,
  eachPair,
  flag,
  HOLE,
  isHidden,
  list,
  MOST_ITEMS,
  number,
  text,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
} from "../reading/value.ts";
import { callPython } from "./python-calls.ts";
import { itemOf, lookUp, memberOf } from "./python-members.ts";

/** What an expression may be. */
export function readPython(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const evaluate = (one: SyntaxNode | undefined) => (one ? reading.evaluate(one, scope) : UNKNOWNS);
  switch (node.type) {
    case "identifier":
      return lookUp(reading, reading.identifier(node), node.from, scope);
    case "string":
      return [readString(reading, node, scope)];
    case "concatenated_string":
      return namedChildren(node)
        .map(evaluate)
        .reduce((left, right) => eachPair(left, right, (value, more) => [add(value, more)]));
    case "integer":
    case "float":
      return readNumber(reading.textOf(node));
    case "true":
    case "false":
      return [flag(node.type === "true")];
    case "none":
      return [flag(null)];
    case "parenthesized_expression":
    case "await":
    case "as_pattern":
    case "list_splat":
    case "expression_statement":
      return evaluate(namedChildren(node)[0]);
    case "named_expression":
      return evaluate(child(node, "value"));
    case "assignment":
      return evaluate(child(node, "right"));
    case "augmented_assignment":
      return grownBy(reading, node, scope);
    case "conditional_expression": {
      const [yes, , no] = namedChildren(node);
      return union(evaluate(yes), evaluate(no));
    }
    case "boolean_operator":
      return union(evaluate(child(node, "left")), evaluate(child(node, "right")));
    case "comparison_operator":
      // Nobody compares what is written down, but to write `True` in another way.
      if (namedChildren(node).every(({ type }) => LITERALS.has(type))) return [number(1), number(0)];
      return [flag(true), flag(false)];
    case "not_operator":
      return [flag(true), flag(false)];
    case "unary_operator":
      return each(evaluate(child(node, "argument")), (value) =>
        value.kind === "number" && node.children[0]?.type === "-" ? [number(-value.number)] : [UNKNOWN],
      );
    case "binary_operator": {
      const operator = reading.textOf(child(node, "operator") ?? node);
      return eachPair(evaluate(child(node, "left")), evaluate(child(node, "right")), (left, right) => [
        operate(operator, left, right),
      ]);
    }
    case "list":
    case "tuple":
    case "set":
    case "expression_list":
      return [readItems(reading, node, scope, "list_splat")];
    case "dictionary":
      return [readDictionary(reading, node, scope)];
    case "list_comprehension":
    case "set_comprehension":
    case "generator_expression":
      return [readComprehension(reading, node, scope)];
    case "lambda":
    case "function_definition":
    case "class_definition":
      return [{ kind: "function", node }];
    case "attribute": {
      const attribute = child(node, "attribute");
      const member = attribute ? reading.identifier(attribute) : "?";
      return each(evaluate(child(node, "object")), (object) => memberOf(reading, object, member, false));
    }
    case "subscript":
      return each(evaluate(child(node, "value")), (object) => readSubscript(reading, object, node, scope));
    case "call":
      return callPython(reading, node, scope);
    default:
      return UNKNOWNS;
  }
}

const LITERALS = new Set(["integer", "float", "string", "true", "false", "none"]);

/** `s += "al"`: whatever s was, with this behind it. */
function grownBy(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!right || left?.type !== "identifier") return UNKNOWNS;
  return grown(scope.ofFunction, reading.identifier(left), left.from, reading.evaluate(right, scope));
}

function operate(operator: string, left: Value, right: Value): Value {
  if (left.kind === "number" && right.kind === "number") return calculate(operator, left.number, right.number);
  if (operator === "+") return add(left, right);
  if (operator === "*") {
    const [content, times] = left.kind === "number" ? [right, left] : [left, right];
    if (content.kind !== "text" || times.kind !== "number" || times.number * content.text.length > MOST_ITEMS)
      return UNKNOWN;
    return text(content.text.repeat(Math.max(0, Math.trunc(times.number))), true);
  }
  if (operator === "%" && left.kind === "text") {
    const pieces = right.kind === "list" ? right.items.map(pieceOfAll) : [pieceOf(right)];
    let next = 0;
    return text(
      left.text.replace(/%(?:\(\w*\))?[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])/g, (_, kind: string) => {
        if (kind === "%") return "%";
        const piece = pieces[next++] ?? HOLE;
        return kind === "c" && /^\d+$/.test(piece) ? String.fromCharCode(Number(piece)) : piece;
      }),
      true,
    );
  }
  return UNKNOWN;
}

function readString(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  let content = "";
  let assembled = false;
  const raw = /^[a-z]*r/i.test(reading.textOf(node.children[0] ?? node));
  for (const part of node.children) {
    if (part.type === "interpolation") {
      assembled = true;
      const expression = child(part, "expression");
      content += expression ? pieceOfAll(reading.evaluate(expression, scope)) : HOLE;
    } else if (part.type === "string_content") {
      const before = content;
      content += raw ? reading.textOf(part) : contentOf(reading, part);
      // Letters written as numbers are a disguise like any other.
      if (!raw && /\\(x[2-7]|u00[2-7]|U000000|N\{|1[0-7]{2})/.test(reading.textOf(part)))
        assembled ||= content !== before;
    }
  }
  return text(content, assembled);
}

function contentOf(reading: FileReading, part: SyntaxNode): string {
  let content = "";
  let at = part.from;
  for (const one of part.children) {
    const sequence = reading.textOf(one);
    content += reading.source.slice(at, one.from);
    content += sequence.startsWith("\\N")
      ? letterNamed(sequence)
      : sequence === "{{" || sequence === "}}"
        ? sequence[0]
        : unescaped(sequence);
    at = one.to;
  }
  return content + reading.source.slice(at, part.to);
}

/** `\N{LATIN SMALL LETTER E}` */
function letterNamed(sequence: string): string {
  const letter = /LATIN (SMALL|CAPITAL) LETTER ([A-Z])\}/i.exec(sequence);
  if (letter?.[2]) return letter[1]?.toUpperCase() === "SMALL" ? letter[2].toLowerCase() : letter[2].toUpperCase();
  return /LOW LINE/i.test(sequence) ? "_" : HOLE;
}

function readDictionary(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  const entries = new Map<string, Values>();
  for (const one of namedChildren(node)) {
    const key = child(one, "key");
    const value = child(one, "value");
    if (one.type === "pair" && key && value) {
      for (const known of reading.evaluate(key, scope)) {
        const read = reading.evaluate(value, scope);
        entries.set(known.kind === "text" || known.kind === "number" ? pieceOf(known) : `${HOLE}${entries.size}`, read);
      }
    } else {
      const [inner] = namedChildren(one);
      for (const known of inner ? reading.evaluate(inner, scope) : []) {
        if (known.kind === "map") for (const [at, values] of known.entries) entries.set(at, values);
      }
    }
    if (entries.size > MOST_ITEMS) return UNKNOWN;
  }
  return { kind: "map", entries };
}

/** A list of letters is short; what is not is data. */
const MOST_CALLS = 256;

/** `chr(c) for c in [101, 118]`: one clause without a condition over a known list, item by item. */
function readComprehension(reading: FileReading, node: SyntaxNode, scope: Scope): Value {
  const body = child(node, "body");
  const clauses = node.children.filter(({ type }) => type === "for_in_clause");
  const [clause] = clauses;
  const target = clause && child(clause, "left");
  const source = clause && child(clause, "right");
  if (!body || !target || !source || clauses.length > 1 || target.type !== "identifier") return UNKNOWN;
  const items = itemsWithin(reading.evaluate(source, scope)[0], MOST_CALLS);
  if (!items) return UNKNOWN;
  return list(items.map((item) => reading.withValue(target, item, body, scope)));
}

function readSubscript(reading: FileReading, object: Value, node: SyntaxNode, scope: Scope): Values {
  const key = child(node, "subscript");
  if (!key) return UNKNOWNS;
  if (key.type !== "slice") return each(reading.evaluate(key, scope), (value) => itemOf(reading, object, value));
  const bounds: (number | null)[] = [null, null, null];
  let at = 0;
  for (const part of key.children) {
    if (part.type === ":") at += 1;
    else if (part.named) {
      const [bound] = reading.evaluate(part, scope);
      if (bound?.kind !== "number") return UNKNOWNS;
      bounds[at] = bound.number;
    }
  }
  const [from = null, to = null, step = null] = bounds;
  if (object.kind === "text") return [text(slice([...object.text], from, to, step).join(""), true)];
  if (object.kind === "list") return [list(slice(object.items, from, to, step))];
  return isHidden(object) ? [object] : UNKNOWNS;
}
