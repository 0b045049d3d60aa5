import type { SyntaxNode } from "../../../syntax/parse.ts";
import { add, calculate, pieceOf, pieceOfAll, unescaped } from "../fold-text.ts";
import { child, namedChildren } from "../reading.ts";
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
import { grown } from "./javascript-bindings.ts";
import { callJavaScript } from "./javascript-calls.ts";
import { FUNCTIONS, type JavaScriptReading } from "./javascript-reading.ts";

/** What an expression may be. */
export function readJavaScript(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Values {
  const evaluate = (one: SyntaxNode | undefined) => (one ? reading.evaluate(one, scope) : UNKNOWNS);
  if (FUNCTIONS.has(node.type)) return [{ kind: "function", node, scope }];
  switch (node.type) {
    case "identifier":
    case "shorthand_property_identifier":
      return lookUp(reading, reading.identifier(node), node.from, scope);
    case "string":
      return [readString(reading, node)];
    case "template_string":
      return [readTemplate(reading, node, scope)];
    case "number": {
      const value = Number(reading.textOf(node).replaceAll("_", ""));
      return Number.isNaN(value) ? UNKNOWNS : [number(value)];
    }
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
      return grown(reading, node, scope);
    case "unary_expression":
      return each(evaluate(child(node, "argument")), (value) => [negated(node.children[0]?.type ?? "", value)]);
    case "binary_expression": {
      const operator = child(node, "operator")?.type ?? "";
      const left = evaluate(child(node, "left"));
      const right = evaluate(child(node, "right"));
      if (["||", "&&", "??"].includes(operator)) return union(left, right);
      return each(left, (one) => each(right, (other) => [operate(operator, one, other)]));
    }
    case "array":
      return [readArray(reading, node, scope)];
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
      return each(evaluate(child(node, "object")), (object) =>
        each(evaluate(child(node, "index")), (key) => itemOf(reading, object, key, true)),
      );
    case "call_expression":
    case "new_expression":
      return callJavaScript(reading, node, scope);
    default:
      return UNKNOWNS;
  }
}

const GLOBALS = new Set(["globalThis", "window", "self", "global", "top", "frames", "parent", "root", "GLOBAL"]);

export function lookUp(reading: JavaScriptReading, identifier: string, at: number, scope: Scope): Values {
  const tried = reading.tried(identifier);
  if (tried) return tried;
  return scope.lookUp(identifier, at, () => [globalNamed(identifier, false)]);
}

export function globalNamed(identifier: string, hidden: boolean): Value {
  return name(GLOBALS.has(identifier) ? "globalThis" : identifier, hidden);
}

/** A module by what stands in `require` or `import`; `node:` is how one may also write it. */
export const moduleNamed = (specifier: string, hidden = false): Value =>
  name(specifier.replace(/^node:/, "").replace(/\/+$/, "") || "?", hidden);

/** `object.key`, `object[key]`, also by way of Reflect.get and destructuring. */
export function itemOf(reading: JavaScriptReading, object: Value, key: Value, computed: boolean): Values {
  const known = key.kind === "number" ? String(key.number) : wholeText(key);
  // A key that is written down as a plain text is no disguise.
  const hidden = computed && !(key.kind === "text" && !key.assembled && known !== null);
  if (known === "constructor") return constructorOf(object, computed);
  if (known === "__proto__" || known === "prototype") return [object.kind === "name" ? object : prototypeOf(object)];
  if (object.kind === "map") {
    if (known !== null) return object.entries.get(known) ?? union(...reading.recall(known), UNKNOWNS);
    return union(...object.entries.values(), UNKNOWNS);
  }
  if (object.kind === "list" || object.kind === "text") return itemOfKnown(object, key);
  if (object.kind !== "name") return known === null ? UNKNOWNS : union(...reading.recall(known), [name(`?.${known}`)]);
  const wasHidden = hidden || object.hidden;
  if (object.name === "globalThis")
    return [known === null ? name("globalThis.?", true) : globalNamed(known, computed || object.hidden)];
  // `import x from "m"` and `require("m")` give the same thing.
  if (known === "value" && object.hidden && /^(eval|Function)$/.test(object.name)) return [object];
  if (known === "default" && !object.name.includes("?")) return [object];
  if (known !== null && LOADERS.has(`${object.name}.${known}`)) return [name("require", true)];
  if (known === null) return [name(`${object.name}.?`, wasHidden || computed)];
  return reading.path(name(object.name, object.hidden), known, hidden);
}

/** Other ways to what `require` does. */
const LOADERS = new Set([
  "module.require",
  "process.mainModule.require",
  "require.main.require",
  "module.constructor._load",
  "module.parent.require",
  "module._load",
  "Module._load",
  "process.getBuiltinModule",
]);

/** `[].constructor` is Array, and the constructor of that is Function. */
function constructorOf(object: Value, computed: boolean): Values {
  if (object.kind === "function") return [name("Function", true)];
  if (object.kind !== "name") return [name("?class", computed)];
  if (object.name === "module") return [name("module.constructor", true)];
  const isConstructor =
    object.name === "?class" ||
    object.name.endsWith(".constructor") ||
    /^[A-Z]\w*(\.\w+)?$/.test(object.name) ||
    /^(eval|require|setTimeout|parseInt)$/.test(object.name);
  return [isConstructor ? name("Function", true) : name(`${object.name}.constructor`, computed)];
}

function prototypeOf(object: Value): Value {
  return object.kind === "function" ? object : name("?class");
}

function itemOfKnown(object: Value & { kind: "list" | "text" }, key: Value): Values {
  const known = wholeText(key);
  if (known === "length") return [number(object.kind === "text" ? object.text.length : object.items.length)];
  // Methods of texts and lists are functions, whatever they are called.
  if (key.kind !== "number") return known === null ? itemsOf([object]) : [name(`Array.${known}`)];
  if (object.kind === "text") return [text(object.text.charAt(key.number) || HOLE, true)];
  return object.items[key.number] ?? itemsOf([object]);
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

function readString(reading: JavaScriptReading, node: SyntaxNode): Value {
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

function readTemplate(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Value {
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

function readArray(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Value {
  const items: Values[] = [];
  for (const one of namedChildren(node)) {
    const values = reading.evaluate(one, scope);
    const [only] = values;
    if (one.type === "spread_element" && only?.kind === "list") items.push(...only.items);
    else if (one.type === "spread_element" && only?.kind === "text")
      items.push(...[...only.text].map((letter): Values => [text(letter, true)]));
    else items.push(values);
    if (items.length > MOST_ITEMS) return UNKNOWN;
  }
  return list(items);
}

function readObject(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Value {
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
    const read = isGetter ? reading.returnsOf(one, reading.scopeOf(one, scope)) : reading.evaluate(value, scope);
    for (const known of reading.keyOf(key, scope)) {
      entries.set(
        wholeText(known) === null && known.kind !== "number" ? `${HOLE}${entries.size}` : pieceOf(known),
        read,
      );
    }
    if (entries.size > MOST_ITEMS) return UNKNOWN;
  }
  return { kind: "map", entries };
}

function readEnum(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Value {
  const entries = new Map<string, Values>();
  const body = child(node, "body");
  for (const one of body ? namedChildren(body) : []) {
    const key = child(one, "name");
    const value = child(one, "value");
    if (key && value) entries.set(reading.identifier(key).replace(/["']/g, ""), reading.evaluate(value, scope));
  }
  return { kind: "map", entries };
}
