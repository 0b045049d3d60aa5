import type { SyntaxNode } from "../../../syntax/parse.ts";
import { type HandingOn, isArgumentOf, isHandedOn } from "../reading/handed-on.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { isNamed, useComment, useDecorator, useOperation, useText, useWithin } from "../reading/plain-uses.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { type Argument, argument } from "../reading/use.ts";
import { each, hide, name, text, UNKNOWNS, type Value, type Values, wholeText } from "../reading/value.ts";
import { argumentsOf, calledThrough, methodOf } from "./javascript-calls.ts";
import { givenTo } from "./javascript-functions.ts";
import { keyOf, moduleNamed } from "./javascript-members.ts";

/** What a node does that a rule may speak of. */
export function useJavaScript(reading: FileReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
  switch (node.type) {
    case "call_expression":
    case "new_expression":
      useCall(reading, node, scope);
      if (goesOn(node, parent)) {
        reading.note("mention", reading.evaluate(node, scope).filter(isPowerful), node);
      }
      reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "binary_expression":
      useOperation(reading, node, scope, parent);
      break;
    case "string":
    case "template_string":
      useText(reading, node, scope);
      break;
    case "identifier":
    case "shorthand_property_identifier":
    case "member_expression":
    case "subscript_expression":
      if (goesOn(node, parent) && !isOnlyAsked(reading, parent)) {
        const values = reading.evaluate(node, scope);
        // `const AsyncFunction = (async () => {}).constructor`, to compare with: by its new name it is followed.
        const isRenamed = parent?.type === "variable_declarator" && child(parent, "name")?.type === "identifier";
        reading.note("mention", isRenamed ? values.filter((value) => !isFunctionMaker(value)) : values, node);
      }
      break;
    case "shorthand_property_identifier_pattern":
    case "pair_pattern":
      // `const { exec: e } = require("child_process")`: what is taken out is tracked by its name.
      break;
    case "assignment_expression":
    case "augmented_assignment_expression":
      useAssignment(reading, node, scope);
      break;
    case "import_statement":
    case "export_statement": {
      const source =
        child(node, "source") ??
        node.children.flatMap(({ children }) => children).find(({ field }) => field === "source");
      const specifier = source ? wholeText(reading.evaluate(source, scope)[0]) : null;
      if (source && specifier !== null) reading.note("import", [moduleNamed(specifier)], source);
      break;
    }
    case "jsx_attribute": {
      const [key] = namedChildren(node);
      if (key) reading.note("assign", [name(`?.${reading.textOf(key)}`)], node, [argument(UNKNOWNS)]);
      break;
    }
    case "pair": {
      const key = child(node, "key");
      const value = child(node, "value");
      if (key && value && (key.type === "property_identifier" || key.type === "string")) {
        const known = wholeText(keyOf(reading, key, scope)[0]);
        const args = [argument(reading.evaluate(value, scope))];
        if (known !== null) reading.note("assign", [name(`{}.${known}`)], node, args);
      }
      break;
    }
    case "class_heritage": {
      const [parentClass] = namedChildren(node);
      const inner = parentClass?.type === "extends_clause" ? namedChildren(parentClass)[0] : parentClass;
      // What is made of a class that is a Function is a function made from text.
      if (inner) reading.note("call", reading.evaluate(inner, scope).filter(isFunctionMaker), inner, [], true);
      break;
    }
    case "with_statement":
      reading.note("call", [name("with")], node, [], true);
      break;
    case "decorator":
      useDecorator(reading, node, scope);
      break;
    case "comment":
      useComment(reading, node);
      break;
  }
}

const LOADS = new Set(["require", "import", "createRequire()"]);

const isFunctionMaker = (value: Value): boolean =>
  value.kind === "name" && /^(Async|Generator)?Function$/.test(value.name);

/** A module that is handed on as a whole. */
const isPowerful = (value: Value): boolean =>
  value.kind === "name" && (value.name === "child_process" || value.name === "vm") && value.hidden;

/** Their first argument may be a text that is run. */
const RUNS_TEXT =
  /^(eval|Function|AsyncFunction|GeneratorFunction|setTimeout|setInterval|setImmediate|vm\.(runIn\w+|Script|compileFunction))$/;

function useCall(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const callee = child(node, "function") ?? child(node, "constructor");
  if (!callee) return;
  const args = argumentsOf(reading, node, scope);
  const called = reading.evaluate(callee, scope);
  // Nobody writes Function`…` but to be without the brackets that one looks for.
  const isTag = child(node, "arguments")?.type === "template_string";
  noteCall(
    reading,
    isTag ? called.map((value) => (isFunctionMaker(value) ? hide(value) : value)) : called,
    args,
    callee,
    node,
  );
  useWithin(reading, called, args, { callee, call: node }, (own, given) => givenTo(reading, own, given));
  const method = methodOf(reading, callee, scope);
  for (const key of method?.key ?? []) {
    const through = method ? calledThrough(method.object, wholeText(key) ?? "", args) : null;
    if (through) noteCall(reading, through.callee, through.args, callee, node);
  }
}

function noteCall(
  reading: FileReading,
  called: Values,
  args: readonly Argument[],
  callee: SyntaxNode,
  node: SyntaxNode,
): void {
  reading.note("call", called, callee, args);
  // Made with `new` it is a copy of an object; called plainly it makes code, if the object is a function.
  if (node.type === "call_expression" && isNamed(called, (one) => one.endsWith(".constructor"))) {
    reading.note("call", [name("constructor()")], callee, args);
  }
  if (isNamed(called, (one) => LOADS.has(one))) {
    const [first] = args;
    const modules = each(first?.values ?? UNKNOWNS, (specifier) => {
      const whole = wholeText(specifier);
      return whole === null ? UNKNOWNS : [moduleNamed(whole, specifier.kind === "text" && specifier.assembled)];
    });
    reading.note("import", modules, node);
  }
  if (!isNamed(called, (one) => RUNS_TEXT.test(one))) return;
  const isFunction = isNamed(called, (one) => one.endsWith("Function"));
  if (!isFunction) {
    reading.noteInner(args[0]?.values ?? [], node);
    return;
  }
  // Parameters may run code, too: `(a = process.exit()) => …`.
  const pieces = args.map(({ values }) => (values.length === 1 ? wholeText(values[0]) : null));
  const body = pieces.at(-1);
  if (!pieces.includes(null) && body !== undefined) {
    reading.noteInner([text(`(function(${pieces.slice(0, -1).join(",")}){${body}\n})`)], node);
  }
}

/** `expect(exec)`, `vi.mocked(exec)` ask of it; what `promisify(exec)` gives is followed by its name. */
const ASKING = /(?:^|\W)(?:expect|mocked|isMockFunction|promisify)\s{0,4}$/;

const isOnlyAsked = (reading: FileReading, parent: SyntaxNode | null): boolean =>
  parent?.type === "arguments" && isArgumentOf(ASKING, reading, parent);

const HANDING_ON: HandingOn = {
  only: new Map([
    ["subscript_expression", "index"],
    ["variable_declarator", "value"],
    ["pair", "value"],
    ["field_definition", "value"],
    ["public_field_definition", "value"],
    ["required_parameter", "value"],
    ["optional_parameter", "value"],
    ["assignment_expression", "right"],
    ["augmented_assignment_expression", "right"],
    ["assignment_pattern", "right"],
    ["object_assignment_pattern", "right"],
    ["for_in_statement", "right"],
    ["arrow_function", "body"],
  ]),
  allBut: new Map([
    ["call_expression", ["function", "constructor"]],
    ["new_expression", ["function", "constructor"]],
  ]),
  never: new Set([
    "member_expression",
    "unary_expression",
    "formal_parameters",
    "function_declaration",
    "function_expression",
    "generator_function_declaration",
    "class_declaration",
    "class",
    "import_clause",
    "import_specifier",
    "namespace_import",
    "expression_statement",
    "object_pattern",
    "array_pattern",
    "rest_pattern",
    "catch_clause",
    "pair_pattern",
    "type_query",
    "nested_type_identifier",
    "nested_identifier",
    "labeled_statement",
  ]),
};

function goesOn(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  // `x instanceof Function` and `typeof eval === …` hand nothing on.
  if (parent?.type === "binary_expression") return ["||", "&&", "??"].includes(child(parent, "operator")?.type ?? "");
  return isHandedOn(node, parent, HANDING_ON);
}

function useAssignment(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!left || !right || (left.type !== "member_expression" && left.type !== "subscript_expression")) return;
  const args = [argument(reading.evaluate(right, scope))];
  // The path itself: what was assigned to it elsewhere is not what is changed.
  const object = child(left, "object");
  const property = child(left, "property");
  const index = child(left, "index");
  const keys: Values = property ? [text(reading.identifier(property))] : index ? reading.evaluate(index, scope) : [];
  for (const one of object ? reading.evaluate(object, scope) : []) {
    const base = one.kind === "name" ? one.name : "?";
    for (const key of keys) reading.note("assign", [name(`${base}.${wholeText(key) ?? "?"}`)], left, args);
  }
}
