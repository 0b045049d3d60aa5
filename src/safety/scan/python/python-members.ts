import { entryOf } from "../reading/plain-values.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import {
  HOLE,
  hide,
  itemsOf,
  name,
  text,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";

/** A name: bound here, or a builtin, or from a module of which everything was imported. */
export function lookUp(reading: FileReading, identifier: string, at: number, scope: Scope): Values {
  return reading.lookUp(identifier, at, scope, () => {
    if (identifier === "__builtins__") return [name("builtins", true)];
    const starred = reading.starred.map((module) =>
      union([canonical(`${module}.${identifier}`)], reading.fromElsewhere(module, identifier)),
    );
    return union([name(`builtins.${identifier}`)], ...starred);
  });
}

/** `object.member`, also by way of getattr. */
export function memberOf(reading: FileReading, object: Value, member: string, hidden: boolean): Values {
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
    const inside = reading.scopeOf(object.node).bindingsOf(member);
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
export function itemOf(reading: FileReading, object: Value, key: Value | undefined): Values {
  const whole = wholeText(key);
  if (object.kind === "map") return entryOf(reading, object, whole);
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

/** Modules that are others by another name. Nobody needs `posix` but to be called something else than `os`. */
export function canonical(path: string): Value {
  const plain = path
    .replace(/^(posix|nt)(?=\.|$)/, "os")
    .replace(/^(__builtin__|__builtins__)(?=\.|$)/, "builtins")
    .replace(/^_io\.open$/, "io.open")
    .replace(/^(_ctypes|_pickle|cPickle)(?=\.|$)/, (module) => (module === "_ctypes" ? "ctypes" : "pickle"));
  return name(plain, /^(posix|nt)\b/.test(path));
}
