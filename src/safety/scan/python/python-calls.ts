import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { folded, itemsWithin } from "../reading/plain-values.ts";
import type { FileReading } from "../reading/reading.ts";
import { returnedBy } from "../reading/returned.ts";
import type { Scope } from "../reading/scope.ts";
import { type Argument, argument } from "../reading/use.ts";
import {
  each,
  eachPair,
  HOLE,
  hide,
  isHidden,
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
import { canonical, itemOf, memberOf } from "./python-members.ts";
import { foldFunction, foldMethod } from "./python-texts.ts";

export function argumentsOf(reading: FileReading, call: SyntaxNode, scope: Scope): Argument[] {
  const given = child(call, "arguments");
  if (!given) return [];
  // `f(x for x in y)`: the generator is the one argument.
  if (given.type === "generator_expression") {
    return [argument(reading.evaluate(given, scope))];
  }
  return namedChildren(given).flatMap((one): Argument[] => {
    if (one.type === "dictionary_splat" || one.type === "list_splat") return spreadOut(reading, one, scope);
    const keyword = child(one, "name");
    const value = one.type === "keyword_argument" ? child(one, "value") : one;
    return [
      {
        keyword: one.type === "keyword_argument" && keyword ? reading.identifier(keyword) : null,
        values: value ? reading.evaluate(value, scope) : UNKNOWNS,
        spread: false,
      },
    ];
  });
}

/** `*["a", "b"]` and `**{"shell": True}` are what they hold. */
function spreadOut(reading: FileReading, node: SyntaxNode, scope: Scope): Argument[] {
  const [inner] = namedChildren(node);
  const values = inner ? reading.evaluate(inner, scope) : UNKNOWNS;
  const [only] = values;
  if (only?.kind === "list" && values.length === 1) {
    return only.items.map(argument);
  }
  if (only?.kind === "map" && values.length === 1) {
    return [...only.entries].map(([keyword, item]) => ({ keyword, values: item, spread: false }));
  }
  return [{ keyword: node.type === "dictionary_splat" ? "**" : null, values, spread: true }];
}

/** What a call gives. */
export function callPython(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  const callee = child(node, "function");
  if (!callee) return UNKNOWNS;
  const args = argumentsOf(reading, node, scope);
  if (callee.type === "attribute") {
    const object = child(callee, "object");
    const attribute = child(callee, "attribute");
    if (object && attribute) {
      const method = reading.identifier(attribute);
      const given = each(reading.evaluate(object, scope), (value) => callMethod(reading, value, method, args));
      if (!given.every((value) => value === UNKNOWN)) return given;
    }
  }
  return each(reading.evaluate(callee, scope), (value) => callValue(reading, value, args));
}

/** A method of what is known: a text, a list, a dictionary, a module's names. */
function callMethod(reading: FileReading, object: Value, method: string, args: Argument[]): Values {
  const [first, second] = args.map(({ values }) => values);
  if (object.kind === "text" || object.kind === "list") return [foldMethod(object, method, args)];
  const isMapping = object.kind === "map" || (object.kind === "name" && MAPPINGS.test(object.name));
  if (isMapping && ["get", "__getitem__", "pop", "setdefault"].includes(method) && first) {
    const found = each(first, (key) => itemOf(reading, object, key));
    return method === "__getitem__" || !second ? found : union(found, second);
  }
  if (object.kind === "map" && method === "values") return [list([...object.entries.values()])];
  if (object.kind === "map" && method === "items") {
    return [list([...object.entries].map(([key, values]): Values => [list([[text(key)], values])]))];
  }
  if ((method === "__getattribute__" || method === "__getattr__") && first) {
    // `object.__getattribute__(os, "system")` or `os.__getattribute__("system")`
    const [on, by]: [Values, Values] = second ? [first, second] : [[object], first];
    return eachPair(on, by, (target, key) => memberOf(reading, target, wholeText(key) ?? "", true));
  }
  return UNKNOWNS;
}

const MAPPINGS = /(^globals\(\)|\.__dict__|^sys\.modules|^builtins)$/;

/** Calls something that was found by name, or a function of this file. */
function callValue(reading: FileReading, callee: Value, args: Argument[]): Values {
  if (callee.kind === "function") return callOwn(reading, callee, args);
  if (callee.kind !== "name") return UNKNOWNS;
  const [first, second, third] = args.map(({ values }) => values);
  const path = callee.name;
  if (path === "?") return UNKNOWNS;
  switch (path) {
    case "builtins.getattr":
      if (!first || !second) return UNKNOWNS;
      return eachPair(first, second, (object, key) =>
        union(memberOf(reading, object, wholeText(key) ?? "", true), third ?? []),
      );
    case "builtins.globals":
    case "inspect.stack":
      return [name("globals()", true)];
    case "builtins.vars":
    case "builtins.locals":
    case "builtins.dir":
      if (!first) return [name("globals()", true)];
      return path === "builtins.dir" ? UNKNOWNS : each(first, (object) => memberOf(reading, object, "__dict__", true));
    case "builtins.__import__":
    case "importlib.import_module":
    case "importlib.__import__":
    case "imp.load_module":
    case "pkgutil.resolve_name":
    case "pydoc.locate":
    case "importlib.reload":
    case "test.support.import_helper.import_module":
      // `__import__("os")` where `import os` would do is for those who do not want to be seen importing.
      return each(first ?? UNKNOWNS, (module) =>
        imported(path, module, callee.hidden || path === "builtins.__import__"),
      );
    case "operator.attrgetter":
    case "operator.methodcaller":
    case "operator.itemgetter":
      return each(first ?? UNKNOWNS, (key) => [name(`${path}(${wholeText(key) ?? HOLE})`, isHidden(callee))]);
    case "operator.getitem":
      return eachPair(first ?? UNKNOWNS, second ?? UNKNOWNS, (object, key) => itemOf(reading, object, key));
    case "operator.call":
      return each(first ?? UNKNOWNS, (called) => callValue(reading, called, args.slice(1)));
    case "functools.partial":
    case "functools.partialmethod":
    case "functools.wraps":
    case "builtins.staticmethod":
    case "builtins.classmethod":
      return first ?? UNKNOWNS;
    case "functools.reduce":
      return reduced(reading, first, second, third);
    case "builtins.type":
      // The type of a function makes functions.
      return each(first ?? UNKNOWNS, (object) => {
        if (object.kind === "function" && args.length === 1) return [name("types.FunctionType", true)];
        const isCode = object.kind === "name" && object.name.endsWith(".__code__");
        return [name(isCode ? "types.CodeType" : "builtins.type()", isCode)];
      });
    case "builtins.map":
      if (first && second) return mapped(reading, first, second);
      return UNKNOWNS;
  }
  const getter = /^operator\.(attrgetter|methodcaller|itemgetter)\((.*)\)$/s.exec(path);
  if (getter && first) return each(first, (object) => got(reading, object, getter[1] ?? "", getter[2] ?? ""));
  return [foldFunction(path, args) ?? name(`${path}()`, callee.hidden)];
}

/** A module by its name; what the name is may not be known. */
function imported(by: string, module: Value, hidden: boolean): Values {
  const whole = wholeText(module);
  if (module.kind === "name" && by === "importlib.reload") return [module];
  if (whole === null) return [name("module?", true)];
  const path = by === "builtins.__import__" ? (whole.split(".")[0] ?? whole) : whole.replace(":", ".");
  const value = canonical(path);
  return [hidden || (module.kind === "text" && module.assembled) ? hide(value) : value];
}

function got(reading: FileReading, object: Value, how: string, key: string): Values {
  if (how === "itemgetter") return itemOf(reading, object, text(key));
  const members = key.split(".");
  const found = members.reduce<Values>(
    (values, member) => each(values, (value) => memberOf(reading, value, member.includes(HOLE) ? "" : member, true)),
    [object],
  );
  return how === "attrgetter"
    ? found
    : found.map((value) => (value.kind === "name" ? name(`${value.name}()`, true) : value));
}

/** `reduce(getattr, ["a", "b"], os)` */
function reduced(reading: FileReading, by: Values = UNKNOWNS, over: Values = UNKNOWNS, from?: Values): Values {
  const [source] = over;
  if (source?.kind !== "list") return UNKNOWNS;
  return folded(source.items, from, 64, (left, right) =>
    each(by, (callee) => callValue(reading, callee, [argument(left), argument(right)])),
  );
}

function mapped(reading: FileReading, by: Values, over: Values): Values {
  const items = itemsWithin(over[0], 256);
  if (!items) return UNKNOWNS;
  return [list(items.map((item) => each(by, (callee) => callValue(reading, callee, [argument(item)]))))];
}

/** A function of this file: what it returns, with what it is given. */
function callOwn(reading: FileReading, callee: Value & { kind: "function" }, args: Argument[]): Values {
  if (callee.node.type === "class_definition") return [callee];
  const { node } = callee;
  const given = givenTo(reading, node, args);
  const scope = reading.scopeOf(node);
  if (node.type !== "lambda") return returnedBy(reading, node, RETURNS, given, scope);
  const body = child(node, "body");
  return body ? reading.withValues(given, body, scope) : UNKNOWNS;
}

const RETURNS = {
  returns: new Set(["return_statement", "yield"]),
  functions: new Set(["function_definition", "class_definition", "lambda"]),
};

/** What each parameter of a function is, in a call with these arguments. */
export function givenTo(reading: FileReading, node: SyntaxNode, args: readonly Argument[]): Map<string, Values> {
  const given = new Map<string, Values>();
  const parameters = child(node, "parameters");
  const named = parameters ? namedChildren(parameters) : [];
  named.forEach((one, index) => {
    const identifier = one.type === "identifier" ? one : (child(one, "name") ?? namedChildren(one)[0]);
    const key = identifier ? reading.identifier(identifier) : "";
    const fitting =
      args.find(({ keyword }) => keyword === key) ?? args.filter(({ keyword }) => keyword === null)[index];
    if (fitting && !fitting.spread && !one.type.includes("splat")) given.set(key, fitting.values);
  });
  return given;
}
