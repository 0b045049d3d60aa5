import type { SyntaxNode } from "../../../syntax/parse.ts";
import { add, calculate, pieceOf, pieceOfAll, slice, unescaped } from "../fold-text.ts";
import { child, hide, isHidden, namedChildren } from "../reading.ts";
import type { Scope } from "../scope.ts";
import {
  each,
  flag,
  HOLE,
  itemsOf,
  list,
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
} from "../value.ts";
import { canonical, grown } from "./python-bindings.ts";
import { callPython } from "./python-calls.ts";
import type { PythonReading } from "./python-reading.ts";

/** What an expression may be. */
export function readPython(reading: PythonReading, node: SyntaxNode, scope: Scope): Values {
  const evaluate = (one: SyntaxNode | undefined) => (one ? reading.evaluate(one, scope) : UNKNOWNS);
  switch (node.type) {
    case "identifier":
      return lookUp(reading, reading.identifier(node), node.from, scope);
    case "string":
      return [readString(reading, node, scope)];
    case "concatenated_string":
      return namedChildren(node)
        .map(evaluate)
        .reduce((left, right) => each(left, (value) => each(right, (more) => [add(value, more)])));
    case "integer":
    case "float": {
      const value = Number(reading.textOf(node).replaceAll("_", ""));
      return Number.isNaN(value) ? UNKNOWNS : [number(value)];
    }
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
      return grown(reading, node, scope);
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
      return each(evaluate(child(node, "left")), (left) =>
        each(evaluate(child(node, "right")), (right) => [operate(operator, left, right)]),
      );
    }
    case "list":
    case "tuple":
    case "set":
    case "expression_list":
      return [readItems(reading, node, scope)];
    case "dictionary":
      return [readDictionary(reading, node, scope)];
    case "list_comprehension":
    case "set_comprehension":
    case "generator_expression":
      return [readComprehension(reading, node, scope)];
    case "lambda":
    case "function_definition":
    case "class_definition":
      return [{ kind: "function", node, scope }];
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

/** A name: bound here, or a builtin, or from a module of which everything was imported. */
export function lookUp(reading: PythonReading, identifier: string, at: number, scope: Scope): Values {
  const tried = reading.tried(identifier);
  if (tried) return tried;
  return scope.lookUp(identifier, at, () => {
    if (identifier === "__builtins__") return [name("builtins", true)];
    const starred = reading.starred.map((module) =>
      union([canonical(`${module}.${identifier}`)], reading.fromElsewhere(module, identifier)),
    );
    return union([name(`builtins.${identifier}`)], ...starred);
  });
}

/** `object.member`, also by way of getattr. */
export function memberOf(reading: PythonReading, object: Value, member: string, hidden: boolean): Values {
  if (member === "__call__" || member === "__func__" || member === "__wrapped__") return [hide(object)];
  if (member === "__globals__" || member === "f_globals" || member === "f_builtins" || member === "f_locals") {
    return [name("globals()", true)];
  }
  // Nobody asks a text or a list for its class, but to climb from there to all others.
  if (member === "__class__" && object.kind !== "name" && object.kind !== "function") {
    return [name("literal.__class__", true)];
  }
  // `print.__self__` is the module that print is in.
  if (member === "__self__" || member === "__objclass__") {
    return [object.kind === "name" && object.name.startsWith("builtins.") ? name("builtins", true) : UNKNOWN];
  }
  if (object.kind === "function") {
    const inside = object.scope.bindingsOf(member);
    if (inside.length > 0) return union(...inside.map((binding) => binding.read()));
  }
  if (object.kind === "name" && object.name === "builtins.__dict__") return reading.path(object, member, true);
  return reading.path(object, member, hidden).map((value) => (value.kind === "name" ? flatten(value) : value));
}

/** `sys.os`, `shutil.os` and the like are the module itself; `asyncio.subprocess` is a module of its own. */
function flatten(value: Value & { kind: "name" }): Value {
  const borrowed = /^(?!builtins\b|\?)[\w.]+\.(os|sys|subprocess|builtins|importlib|ctypes)$/.exec(value.name);
  if (borrowed?.[1] && !/^(importlib|asyncio)\./.test(value.name)) return name(borrowed[1], true);
  return value;
}

/** `object[key]`, also by way of `.get(key)`. */
export function itemOf(reading: PythonReading, object: Value, key: Value | undefined): Values {
  const whole = wholeText(key);
  if (object.kind === "map") {
    if (whole !== null) return object.entries.get(whole) ?? union(...reading.recall(whole), UNKNOWNS);
    return union(...object.entries.values(), UNKNOWNS);
  }
  if (object.kind === "list" || object.kind === "text") {
    if (key?.kind !== "number") return itemsOf([object]);
    if (object.kind === "text") return [text(object.text.at(key.number) ?? HOLE, true)];
    return object.items.at(key.number) ?? itemsOf([object]);
  }
  if (object.kind !== "name") return UNKNOWNS;
  const path = object.name.replace(/\.__dict__$/, "");
  if (path === "globals()") {
    if (whole === null) return [name("globals().?", true)];
    const found = lookUp(reading, whole, Number.MAX_SAFE_INTEGER, reading.moduleScope);
    return found.map(hide);
  }
  if (path === "sys.modules") return [whole === null ? name("module?", true) : hide(canonical(whole))];
  if (path === "builtins" || path !== object.name) {
    return memberOf(reading, name(path, true), whole ?? "", true);
  }
  return union([name(`${path}[]`, object.hidden)], ...(whole === null ? [] : reading.recall(whole)));
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

function readString(reading: PythonReading, node: SyntaxNode, scope: Scope): Value {
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

function contentOf(reading: PythonReading, part: SyntaxNode): string {
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

function readItems(reading: PythonReading, node: SyntaxNode, scope: Scope): Value {
  const items: Values[] = [];
  for (const one of namedChildren(node)) {
    const values = reading.evaluate(one, scope);
    const [only] = values;
    if (one.type === "list_splat" && only?.kind === "list") items.push(...only.items);
    else items.push(values);
    if (items.length > MOST_ITEMS) return UNKNOWN;
  }
  return list(items);
}

function readDictionary(reading: PythonReading, node: SyntaxNode, scope: Scope): Value {
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

/** `chr(c) for c in [101, 118]`: one clause without a condition over a known list, item by item. */
function readComprehension(reading: PythonReading, node: SyntaxNode, scope: Scope): Value {
  const body = child(node, "body");
  const clauses = node.children.filter(({ type }) => type === "for_in_clause");
  const [clause] = clauses;
  const target = clause && child(clause, "left");
  const source = clause && child(clause, "right");
  if (!body || !target || !source || clauses.length > 1 || target.type !== "identifier") return UNKNOWN;
  const [values] = reading.evaluate(source, scope);
  const items: readonly Values[] | null =
    values?.kind === "list"
      ? values.items
      : wholeText(values) === null
        ? null
        : [...(wholeText(values) ?? "")].map((one) => [text(one)]);
  if (!items || items.length > 256) return UNKNOWN;
  return list(items.map((item) => reading.withValue(target, item, body, scope)));
}

function readSubscript(reading: PythonReading, object: Value, node: SyntaxNode, scope: Scope): Values {
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
