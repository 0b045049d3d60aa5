import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, hide, namedChildren } from "../reading.ts";
import type { Scope } from "../scope.ts";
import type { Argument } from "../use.ts";
import { each, list, name, text, UNKNOWN, UNKNOWNS, union, type Value, type Values, wholeText } from "../value.ts";
import type { JavaScriptReading } from "./javascript-reading.ts";
import { foldFunction, foldMethod } from "./javascript-texts.ts";
import { itemOf, moduleNamed } from "./javascript-values.ts";

export function argumentsOf(reading: JavaScriptReading, call: SyntaxNode, scope: Scope): Argument[] {
  const given = child(call, "arguments");
  if (!given) return [];
  if (given.type === "template_string") {
    return [{ keyword: null, values: reading.evaluate(given, scope), spread: false }];
  }
  return namedChildren(given).flatMap((one): Argument[] => {
    const values = reading.evaluate(one, scope);
    const [only] = values;
    if (one.type === "spread_element" && only?.kind === "list" && values.length === 1) {
      return only.items.map((item) => ({ keyword: null, values: item, spread: false }));
    }
    return [{ keyword: null, values, spread: one.type === "spread_element" }];
  });
}

/** What a call gives. */
export function callJavaScript(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): Values {
  const callee = child(node, "function") ?? child(node, "constructor");
  if (!callee) return UNKNOWNS;
  const args = argumentsOf(reading, node, scope);
  const method = methodOf(reading, callee, scope);
  if (method) {
    const folded = each(method.object, (object) =>
      each(method.key, (key) => callMethod(reading, object, wholeText(key) ?? "", args)),
    );
    if (!folded.every((value) => value === UNKNOWN)) return folded;
  }
  return each(reading.evaluate(callee, scope), (value) => callValue(reading, value, args));
}

/** `object.method(…)`, `object["method"](…)` */
export function methodOf(
  reading: JavaScriptReading,
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
    if (only?.kind === "list") return only.items.map((item) => ({ keyword: null, values: item, spread: false }));
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

function callMethod(reading: JavaScriptReading, object: Value, method: string, args: Argument[]): Values {
  const [first, second] = args.map(({ values }) => values);
  const path = object.kind === "name" ? object.name : "";
  if ((path === "Reflect" || path === "Object") && first) {
    switch (method) {
      case "get":
        return each(first, (target) => each(second ?? UNKNOWNS, (key) => itemOf(reading, target, key, true).map(hide)));
      case "getOwnPropertyDescriptor":
        return each(first, (target) =>
          each(
            second ?? UNKNOWNS,
            (key): Values => [
              { kind: "map", entries: new Map([["value", itemOf(reading, target, key, true).map(hide)]]) },
            ],
          ),
        );
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
  if (object.kind === "text" || object.kind === "list") return foldMethod(reading, object, method, args);
  if (object.kind === "map" && method === "get") {
    return each(first ?? UNKNOWNS, (key) => itemOf(reading, object, key, true));
  }
  return UNKNOWNS;
}

/** Calls something found by name, or a function of this file. */
export function callValue(reading: JavaScriptReading, callee: Value, args: readonly Argument[]): Values {
  if (callee.kind === "function") return callOwn(reading, callee, args);
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

function callOwn(reading: JavaScriptReading, callee: Value & { kind: "function" }, args: readonly Argument[]): Values {
  return reading.returnsOf(callee.node, callee.scope, givenTo(reading, callee.node, args));
}

/** What each parameter of a function is, in a call with these arguments. */
export function givenTo(reading: JavaScriptReading, node: SyntaxNode, args: readonly Argument[]): Map<string, Values> {
  const given = new Map<string, Values>();
  reading.parametersOf(node).forEach((parameter, index) => {
    const target = child(parameter, "pattern") ?? parameter;
    const argument = args[index];
    if (target.type === "identifier" && argument && !argument.spread)
      given.set(reading.identifier(target), argument.values);
  });
  return given;
}
