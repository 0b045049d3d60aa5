import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, hide, namedChildren } from "../reading.ts";
import type { Scope } from "../scope.ts";
import type { Argument } from "../use.ts";
import { each, name, text, UNKNOWNS, type Value, type Values, wholeText } from "../value.ts";
import { argumentsOf, calledThrough, givenTo, methodOf } from "./javascript-calls.ts";
import type { JavaScriptReading } from "./javascript-reading.ts";
import { moduleNamed } from "./javascript-values.ts";

/** What a node does that a rule may speak of. */
export function useJavaScript(
  reading: JavaScriptReading,
  node: SyntaxNode,
  scope: Scope,
  parent: SyntaxNode | null,
): void {
  switch (node.type) {
    case "call_expression":
    case "new_expression":
      useCall(reading, node, scope);
      if (isHandedOn(node, parent)) {
        reading.note("mention", reading.evaluate(node, scope).filter(isPowerful), node);
      }
      reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "binary_expression":
      if (parent?.type !== node.type) reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "string":
    case "template_string": {
      const [value] = reading.evaluate(node, scope);
      if (value?.kind === "text" && !value.assembled) reading.noteText("text", value.text, node);
      else reading.noteAssembled(value ? [value] : [], node);
      break;
    }
    case "identifier":
    case "shorthand_property_identifier":
    case "member_expression":
    case "subscript_expression":
      if (isHandedOn(node, parent) && !isOnlyAsked(reading, parent)) {
        const values = reading.evaluate(node, scope);
        // `const AsyncFunction = (async () => {}).constructor`, to compare with: by its new name it is followed.
        const isNamed = parent?.type === "variable_declarator" && child(parent, "name")?.type === "identifier";
        reading.note("mention", isNamed ? values.filter((value) => !isFunctionMaker(value)) : values, node);
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
      const [key, value] = namedChildren(node);
      if (key) {
        const args = [{ keyword: null, values: value ? [name("?")] : UNKNOWNS, spread: false }];
        reading.note("assign", [name(`?.${reading.textOf(key)}`)], node, args);
      }
      break;
    }
    case "pair": {
      const key = child(node, "key");
      const value = child(node, "value");
      if (key && value && (key.type === "property_identifier" || key.type === "string")) {
        const known = wholeText(reading.keyOf(key, scope)[0]);
        const args = [{ keyword: null, values: reading.evaluate(value, scope), spread: false }];
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
    case "decorator": {
      const [decorated] = namedChildren(node);
      if (decorated) reading.note("call", reading.evaluate(decorated, scope), node, [], true);
      break;
    }
    case "comment":
      reading.noteText("comment", reading.textOf(node), node);
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

function useCall(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): void {
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
  for (const value of called) {
    if (value.kind === "function") reading.noteWithin(value, givenTo(reading, value.node, args), callee, node);
  }
  const method = methodOf(reading, callee, scope);
  for (const key of method?.key ?? []) {
    const through = method ? calledThrough(method.object, wholeText(key) ?? "", args) : null;
    if (through) noteCall(reading, through.callee, through.args, callee, node);
  }
}

function noteCall(
  reading: JavaScriptReading,
  called: Values,
  args: readonly Argument[],
  callee: SyntaxNode,
  node: SyntaxNode,
): void {
  reading.note("call", called, callee, args);
  // Made with `new` it is a copy of an object; called plainly it makes code, if the object is a function.
  if (
    node.type === "call_expression" &&
    called.some((value) => value.kind === "name" && value.name.endsWith(".constructor"))
  ) {
    reading.note("call", [name("constructor()")], callee, args);
  }
  if (called.some((value) => value.kind === "name" && LOADS.has(value.name))) {
    const [first] = args;
    const modules = each(first?.values ?? UNKNOWNS, (specifier) => {
      const whole = wholeText(specifier);
      return whole === null ? UNKNOWNS : [moduleNamed(whole, specifier.kind === "text" && specifier.assembled)];
    });
    reading.note("import", modules, node);
  }
  if (!called.some((value) => value.kind === "name" && RUNS_TEXT.test(value.name))) return;
  const isFunction = called.some((value) => value.kind === "name" && /Function$/.test(value.name));
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
function isOnlyAsked(reading: JavaScriptReading, parent: SyntaxNode | null): boolean {
  if (parent?.type !== "arguments") return false;
  return /(?:^|\W)(?:expect|mocked|isMockFunction|promisify)\s{0,4}$/.test(
    reading.source.slice(Math.max(0, parent.from - 24), parent.from),
  );
}

/** A value that goes on to somewhere: not what is called, not what a member is taken of, not a new name. */
function isHandedOn(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (!parent) return false;
  switch (parent.type) {
    case "call_expression":
    case "new_expression":
      return node.field !== "function" && node.field !== "constructor";
    case "member_expression":
      return false;
    case "subscript_expression":
      return node.field === "index";
    case "variable_declarator":
    case "pair":
    case "field_definition":
    case "public_field_definition":
    case "required_parameter":
    case "optional_parameter":
      return node.field === "value";
    case "assignment_expression":
    case "augmented_assignment_expression":
    case "assignment_pattern":
    case "object_assignment_pattern":
      return node.field === "right";
    case "for_in_statement":
      return node.field === "right";
    case "arrow_function":
      return node.field === "body";
    case "binary_expression":
      // `x instanceof Function` and `typeof eval === …` hand nothing on.
      return ["||", "&&", "??"].includes(parent.children.find(({ field }) => field === "operator")?.type ?? "");
    case "unary_expression":
    case "formal_parameters":
    case "function_declaration":
    case "function_expression":
    case "generator_function_declaration":
    case "class_declaration":
    case "class":
    case "import_clause":
    case "import_specifier":
    case "namespace_import":
    case "expression_statement":
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
    case "catch_clause":
    case "pair_pattern":
    case "type_query":
    case "nested_type_identifier":
    case "nested_identifier":
    case "labeled_statement":
      return false;
    default:
      return true;
  }
}

function useAssignment(reading: JavaScriptReading, node: SyntaxNode, scope: Scope): void {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!left || !right || (left.type !== "member_expression" && left.type !== "subscript_expression")) return;
  const args = [{ keyword: null, values: reading.evaluate(right, scope), spread: false }];
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
