import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { type Argument, argument } from "../reading/use.ts";
import {
  each,
  eachPair,
  hide,
  list,
  name,
  text,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";
import { givenTo, returnsOf } from "./javascript-functions.ts";
import { itemOf, moduleNamed } from "./javascript-members.ts";
import { foldFunction, foldMethod } from "./javascript-texts.ts";

export function argumentsOf(reading: FileReading, call: SyntaxNode, scope: Scope): Argument[] {
  const given = child(call, "arguments");
  if (!given) return [];
  if (given.type === "template_string") {
    return [argument(reading.evaluate(given, scope))];
  }
  return namedChildren(given).flatMap((one): Argument[] => {
    const values = reading.evaluate(one, scope);
    const [only] = values;
    if (one.type === "spread_element" && only?.kind === "list" && values.length === 1) {
      return only.items.map(argument);
    }
    return [{ keyword: null, values, spread: one.type === "spread_element" }];
  });
}

/** What a call gives. */
export function callJavaScript(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const callee = child(node, "function") ?? child(node, "constructor");
  if (!callee) return UNKNOWNS;
  const args = argumentsOf(reading, node, scope);
  const method = methodOf(reading, callee, scope);
  if (method) {
    const folded = eachPair(method.object, method.key, (object, key) =>
      callMethod(reading, object, wholeText(key) ?? "", args),
    );
    if (!folded.every((value) => value === UNKNOWN)) return folded;
  }
  return each(reading.evaluate(callee, scope), (value) => callValue(reading, value, args));
}

/** `object.method(…)`, `object["method"](…)` */
export function methodOf(
  reading: FileReading,
  callee: SyntaxNode,
  scope: Scope,
): { object: Values; key: Values; node: SyntaxNode } | null {
  let inner = callee;
  while (inner.type === "parenthesized_expression" || inner.type === "non_null_expression") {
    const [next] = namedChildren(inner);
    if (!next) return null;
    inner = next;
  }
  const object = child(inner, "object");
  const property = child(inner, "property");
  const index = child(inner, "index");
  if (!object || (inner.type !== "member_expression" && inner.type !== "subscript_expression")) return null;
  const key: Values = property
    ? [text(reading.identifier(property))]
    : index
      ? reading.evaluate(index, scope)
      : UNKNOWNS;
  return { object: reading.evaluate(object, scope), key, node: object };
}

/** What is really called by `f.call(…)`, `f.apply(…)`, `Reflect.apply(f, …)`. */
export function calledThrough(
  object: Values,
  method: string,
  args: readonly Argument[],
): { callee: Values; args: Argument[] } | null {
  if (method === "call") return { callee: object, args: args.slice(1) };
  const listed = (values: Values | undefined): Argument[] => {
    const [only] = values ?? [];
    if (only?.kind === "list") return only.items.map(argument);
    return [{ keyword: null, values: UNKNOWNS, spread: true }];
  };
  const isReflect = object.some((value) => value.kind === "name" && value.name === "Reflect");
  if (isReflect && (method === "apply" || method === "construct")) {
    const callee = (args[0]?.values ?? UNKNOWNS).map(hide);
    return { callee, args: listed(args[method === "apply" ? 2 : 1]?.values) };
  }
  return method === "apply" ? { callee: object, args: listed(args[1]?.values) } : null;
}

/** One of all members, and nobody knows which. */
const memberOfAll = (object: Value): Values =>
  object.kind === "name" && object.name !== "?" ? [name(`${object.name}.?`, true)] : UNKNOWNS;

function callMethod(reading: FileReading, object: Value, method: string, args: Argument[]): Values {
  const [first, second] = args.map(({ values }) => values);
  const path = object.kind === "name" ? object.name : "";
  if ((path === "Reflect" || path === "Object") && first) {
    switch (method) {
      case "get":
        return eachPair(first, second ?? UNKNOWNS, (target, key) => itemOf(reading, target, key, true).map(hide));
      case "getOwnPropertyDescriptor":
        return eachPair(first, second ?? UNKNOWNS, (target, key) => [
          { kind: "map", entries: new Map([["value", itemOf(reading, target, key, true).map(hide)]]) },
        ]);
      case "values":
        return each(first, (target) =>
          target.kind === "map" ? [list([...target.entries.values()])] : [list([memberOfAll(target)])],
        );
      case "entries":
        return each(first, (target) =>
          target.kind === "map"
            ? [list([...target.entries].map(([key, values]): Values => [list([[text(key)], values])]))]
            : [list([[list([UNKNOWNS, memberOfAll(target)])]])],
        );
      case "getOwnPropertyDescriptors":
        return first.map(hide);
      case "getPrototypeOf":
        return first.map((target) =>
          target.kind === "function" ? target : target.kind === "name" ? target : name("?class"),
        );
      case "assign":
      case "create":
      case "freeze":
        return union(...args.map(({ values }) => values));
    }
  }
  if (method === "bind" || (method === "valueOf" && object.kind === "name")) return [hide(object)];
  const through = calledThrough([object], method, args);
  if (through && (object.kind === "function" || object.kind === "name")) {
    return each(through.callee, (callee) => callValue(reading, callee, through.args));
  }
  if (object.kind === "text" || object.kind === "list") {
    return foldMethod(object, method, args, (callee, given) => callValue(reading, callee, given));
  }
  if (object.kind === "map" && method === "get") {
    return each(first ?? UNKNOWNS, (key) => itemOf(reading, object, key, true));
  }
  return UNKNOWNS;
}

/** Calls something found by name, or a function of this file. */
function callValue(reading: FileReading, callee: Value, args: readonly Argument[]): Values {
  if (callee.kind === "function") {
    const { node } = callee;
    return returnsOf(reading, node, reading.scopeOf(node), givenTo(reading, node, args));
  }
  if (callee.kind !== "name") return UNKNOWNS;
  const first = args[0]?.values;
  switch (callee.name) {
    case "?":
      return UNKNOWNS;
    case "require":
    case "import":
    case "createRequire()":
      return each(first ?? UNKNOWNS, (specifier) => {
        const whole = wholeText(specifier);
        if (whole === null) return [name("module?", true)];
        return [moduleNamed(whole, callee.hidden || (specifier.kind === "text" && specifier.assembled))];
      });
    case "module.createRequire":
    case "createRequire":
      return [name("createRequire()")];
    case "eval":
    case "Function()":
    case "AsyncFunction()":
      return UNKNOWNS;
    case "Map":
    case "WeakMap":
    case "Object.fromEntries":
      return (first ?? UNKNOWNS).map(mapOf);
    case "Proxy":
    case "structuredClone":
    case "Object":
    case "Promise.resolve":
    case "util.promisify":
      return first ?? UNKNOWNS;
    case "document.createElement":
      return [name(wholeText(first?.[0])?.toLowerCase() === "script" ? "script element" : "document.createElement()")];
  }
  const folded = foldFunction(callee.name, args);
  return [folded ?? name(`${callee.name}()`, callee.hidden)];
}

/** Pairs of keys and values. */
function mapOf(pairs: Value): Value {
  const entries = new Map<string, Values>();
  for (const [pair] of pairs.kind === "list" ? pairs.items : []) {
    const [key, value] = pair?.kind === "list" ? pair.items : [];
    const known = key ? wholeText(key[0]) : null;
    if (value) entries.set(known ?? `?${entries.size}`, value);
  }
  return entries.size === 0 ? name("Map()") : { kind: "map", entries };
}
