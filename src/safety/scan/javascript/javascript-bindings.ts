import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Binding, Put, Scope } from "../reading/scope.ts";
import {
  each,
  eachPair,
  itemAt,
  itemsOf,
  name,
  text,
  UNKNOWNS,
  union,
  type Values,
  wholeText,
} from "../reading/value.ts";
import { FUNCTIONS, parametersOf, returnsOf } from "./javascript-functions.ts";
import { itemOf, keyOf, moduleNamed } from "./javascript-members.ts";

/** What a node binds, if it binds anything. */
export function bindJavaScript(reading: FileReading, node: SyntaxNode, scope: Scope, sure: boolean): void {
  const put = (into: Scope, hoisted: boolean) => (identifier: SyntaxNode, read: () => Values) =>
    into.bind(reading.identifier(identifier), binding(read, hoisted ? -1 : node.from, hoisted || sure));
  switch (node.type) {
    case "lexical_declaration":
    case "variable_declaration": {
      // `let` is there from the first line of its block on, be it only to be refused; `var` in a script may not be.
      const lexical = node.type === "lexical_declaration";
      for (const one of namedChildren(node)) {
        const target = child(one, "name");
        const value = child(one, "value");
        const read = () => (value ? reading.evaluate(value, scope) : UNKNOWNS);
        if (target) bindPattern(reading, target, read, scope, put(lexical ? scope : scope.ofFunction, lexical));
      }
      break;
    }
    case "assignment_expression":
    case "augmented_assignment_expression": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (!left || !right) break;
      // A text that grows is read as a whole, once.
      const value = node.type === "assignment_expression" ? right : node;
      const read = () => reading.evaluate(value, scope);
      const assign = (identifier: SyntaxNode, value: () => Values) => {
        const into = scope.holding(reading.identifier(identifier));
        into.bind(reading.identifier(identifier), binding(value, node.from, false));
      };
      bindPattern(reading, left, read, scope, assign);
      break;
    }
    case "for_in_statement": {
      const left = child(node, "left");
      const right = child(node, "right");
      const inside = reading.scopeOf(node, scope);
      const over = child(node, "operator")?.type === "of";
      const read = () => (right && over ? itemsOf(reading.evaluate(right, inside)) : UNKNOWNS);
      if (left) bindPattern(reading, left, read, inside, put(inside, true));
      break;
    }
    case "catch_clause": {
      const parameter = child(node, "parameter");
      const inside = reading.scopeOf(node, scope);
      if (parameter) bindPattern(reading, parameter, () => UNKNOWNS, inside, put(inside, true));
      break;
    }
    case "class_declaration":
    case "abstract_class_declaration":
    case "enum_declaration":
    case "internal_module": {
      const named = child(node, "name");
      if (named) put(scope, true)(named, () => reading.evaluate(node, scope));
      break;
    }
    case "field_definition":
    case "public_field_definition":
    case "pair": {
      const key = child(node, "property") ?? child(node, "name") ?? child(node, "key");
      const value = child(node, "value");
      if (key && value) {
        for (const one of keyOf(reading, key, scope)) {
          const known = wholeText(one);
          if (known !== null) reading.remember(known, () => reading.evaluate(value, scope));
        }
      }
      break;
    }
    case "return_statement": {
      const [result] = namedChildren(node);
      if (result) reading.settle(result, scope);
      break;
    }
    case "call_expression": {
      const callee = child(node, "function");
      if (callee) reading.settle(callee, scope);
      break;
    }
    case "export_statement":
      bindExports(reading, node, scope);
      break;
    case "import_statement":
      bindImports(reading, node, put(scope, true));
      break;
  }
  if (FUNCTIONS.has(node.type)) bindFunction(reading, node, scope, put(scope.ofFunction, true));
}

const binding = (read: () => Values, at: number, sure: boolean): Binding => ({ read, at, sure });

/** Unpacks `{a, b: c = 1, ...d}`, `[a, , b]` and members, name by name. */
function bindPattern(reading: FileReading, target: SyntaxNode, read: () => Values, scope: Scope, put: Put): void {
  const again = (one: SyntaxNode | undefined, values: () => Values) => {
    if (one) bindPattern(reading, one, values, scope, put);
  };
  const member = (key: Values) => () => eachPair(read(), key, (object, one) => itemOf(reading, object, one, false));
  switch (target.type) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
      if (target.type === "identifier") put(target, read);
      else put(target, member([text(reading.identifier(target))]));
      return;
    case "object_pattern":
    case "object":
      for (const one of namedChildren(target)) again(one, read);
      return;
    case "pair_pattern":
    case "pair": {
      const key = child(target, "key");
      again(child(target, "value"), key ? member(keyOf(reading, key, scope)) : () => UNKNOWNS);
      return;
    }
    case "object_assignment_pattern":
    case "assignment_pattern":
    case "assignment_expression": {
      const left = child(target, "left");
      const standard = child(target, "right");
      const values = left?.type.startsWith("shorthand") ? member([text(reading.identifier(left))]) : read;
      const both = () => union(values(), standard ? reading.evaluate(standard, scope) : UNKNOWNS);
      if (left?.type.startsWith("shorthand")) put(left, both);
      else again(left, both);
      return;
    }
    case "array_pattern":
    case "array": {
      // `[, second]`: what is left out has a place, too.
      let index = 0;
      for (const one of target.children) {
        const at = index;
        if (one.type === ",") index += 1;
        else if (one.named) again(one, one.type === "rest_pattern" ? read : () => itemAt(read(), at));
      }
      return;
    }
    case "rest_pattern":
    case "spread_element":
    case "parenthesized_expression":
    case "non_null_expression":
      again(namedChildren(target)[0], read);
      return;
    case "member_expression": {
      const property = child(target, "property");
      if (property) reading.remember(reading.identifier(property), read);
      return;
    }
    case "subscript_expression": {
      const index = child(target, "index");
      for (const one of index ? reading.evaluate(index, scope) : []) {
        if (one.kind === "text") reading.remember(one.text, read);
      }
    }
  }
}

function bindFunction(reading: FileReading, node: SyntaxNode, scope: Scope, put: Put): void {
  const inside = reading.scopeOf(node, scope);
  const named = child(node, "name");
  const self: () => Values = () => [{ kind: "function", node }];
  if (node.type === "method_definition") {
    for (const key of named ? keyOf(reading, named, scope) : []) {
      const known = wholeText(key);
      const isGetter = node.children.some(({ type }) => type === "get");
      if (known !== null) reading.remember(known, isGetter ? () => returnsOf(reading, node, inside) : self);
    }
  } else if (named && node.type.endsWith("declaration")) put(named, self);
  else if (named) inside.bind(reading.identifier(named), binding(self, -1, true));
  for (const parameter of parametersOf(node)) {
    const target = child(parameter, "pattern") ?? parameter;
    const standard = child(parameter, "value");
    const read = () => (standard ? union(reading.evaluate(standard, inside), UNKNOWNS) : UNKNOWNS);
    bindPattern(reading, target, read, inside, (identifier, values) =>
      inside.bind(reading.identifier(identifier), binding(values, -1, true)),
    );
  }
}

/** `export { execSync as run } from "child_process"` is how others know it. */
function bindExports(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const source = child(node, "source");
  const module = source ? wholeText(reading.evaluate(source, scope)[0]) : null;
  const standard = child(node, "value");
  if (standard) reading.exports.set("default", () => reading.evaluate(standard, scope));
  if (module !== null && node.children.some(({ type }) => type === "*")) reading.starred.push(module);
  const clause = node.children.find(({ type }) => type === "export_clause");
  for (const one of clause ? namedChildren(clause) : []) {
    const own = child(one, "name");
    const known = child(one, "alias") ?? own;
    if (!own || !known) continue;
    const [key] = keyOf(reading, own, scope);
    const read = (): Values =>
      module === null
        ? reading.evaluate(own, scope)
        : key
          ? itemOf(reading, moduleNamed(module), key, false)
          : UNKNOWNS;
    reading.exports.set(wholeText(keyOf(reading, known, scope)[0]) ?? "", read);
  }
}

function bindImports(reading: FileReading, node: SyntaxNode, put: Put): void {
  const source = child(node, "source");
  const open = [...node.children];
  const from = () => {
    const own = source ?? open.flatMap(({ children }) => children).find(({ field }) => field === "source");
    const value = own ? wholeText(reading.evaluate(own, reading.moduleScope)[0]) : null;
    return value === null ? name("module?") : moduleNamed(value);
  };
  for (let one = open.shift(); one; one = open.shift()) {
    if (one.type === "import_clause" || one.type === "named_imports") open.push(...namedChildren(one));
    else if (one.type === "identifier") {
      put(one, () => {
        const module = from();
        return union([module], module.kind === "name" ? reading.fromElsewhere(module.name, "default") : []);
      });
    } else if (one.type === "namespace_import" || one.type === "import_require_clause") {
      const [bound] = namedChildren(one);
      const required = child(one, "source");
      const values = (): Values =>
        required ? [moduleNamed(wholeText(reading.evaluate(required, reading.moduleScope)[0]) ?? "module?")] : [from()];
      if (bound) put(bound, values);
    } else if (one.type === "import_specifier") {
      const imported = child(one, "name");
      const bound = child(one, "alias") ?? imported;
      if (imported && bound) {
        const key = keyOf(reading, imported, reading.moduleScope);
        put(bound, () => each(key, (member) => itemOf(reading, from(), member, false)));
      }
    }
  }
}
