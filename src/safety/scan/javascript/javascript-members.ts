import type { SyntaxNode } from "../../../syntax/parse.ts";
import { namedChildren } from "../reading/nodes.ts";
import { entryOf } from "../reading/plain-values.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import {
  HOLE,
  itemsOf,
  name,
  number,
  text,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";

const GLOBALS = new Set(["globalThis", "window", "self", "global", "top", "frames", "parent", "root", "GLOBAL"]);

export function globalNamed(identifier: string, hidden: boolean): Value {
  return name(GLOBALS.has(identifier) ? "globalThis" : identifier, hidden);
}

/** A module by what stands in `require` or `import`; `node:` is how one may also write it. */
export const moduleNamed = (specifier: string, hidden = false): Value =>
  name(specifier.replace(/^node:/, "").replace(/\/+$/, "") || "?", hidden);

/** `object.key`, `object[key]`, also by way of Reflect.get and destructuring. */
export function itemOf(reading: FileReading, object: Value, key: Value, computed: boolean): Values {
  const known = key.kind === "number" ? String(key.number) : wholeText(key);
  // A key that is written down as a plain text is no disguise.
  const hidden = computed && !(key.kind === "text" && !key.assembled && known !== null);
  if (known === "constructor") return constructorOf(object, computed);
  if (known === "__proto__" || known === "prototype") return [object.kind === "name" ? object : prototypeOf(object)];
  if (object.kind === "map") return entryOf(reading, object, known);
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

/** The name of a member as it is written: `a`, `"a"`, `["a"]` after evaluation, `#a`. */
export function keyOf(reading: FileReading, node: SyntaxNode, scope: Scope): Values {
  if (node.type === "computed_property_name") {
    const [inner] = namedChildren(node);
    return inner ? reading.evaluate(inner, scope) : [];
  }
  if (node.type === "string" || node.type === "number") return reading.evaluate(node, scope);
  return [text(reading.identifier(node))];
}
