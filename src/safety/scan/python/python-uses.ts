import type { SyntaxNode } from "../../../syntax/parse.ts";
import { type HandingOn, isArgumentOf, isHandedOn } from "../reading/handed-on.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import { isNamed, useComment, useDecorator, useOperation, useText, useWithin } from "../reading/plain-uses.ts";
import type { FileReading } from "../reading/reading.ts";
import type { Scope } from "../reading/scope.ts";
import { argument } from "../reading/use.ts";
import { isHidden, name, type Values } from "../reading/value.ts";
import { argumentsOf, givenTo } from "./python-calls.ts";
import { canonical } from "./python-members.ts";

/** What a node does that a rule may speak of. */
export function usePython(reading: FileReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
  switch (node.type) {
    case "call":
      useCall(reading, node, scope);
      if (parent?.type !== "attribute") reading.noteAssembled(reading.evaluate(node, scope), node);
      // What getattr gives is a name like any other.
      if (isHandedOn(node, parent, HANDING_ON))
        reading.note("mention", reading.evaluate(node, scope).filter(isHidden), node);
      break;
    case "binary_operator":
    case "concatenated_string":
      useOperation(reading, node, scope, parent);
      break;
    case "string":
      // A text that stands by itself explains; only doctest runs it.
      if (parent?.type !== "expression_statement" || reading.runsDocumentation) useText(reading, node, scope);
      else reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "subscript":
      reading.noteAssembled(reading.evaluate(node, scope), node);
      if (isHandedOn(node, parent, HANDING_ON)) reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "identifier":
    case "attribute":
      if (isHandedOn(node, parent, HANDING_ON) && !isOnlyAsked(reading, parent))
        reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "decorator":
      useDecorator(reading, node, scope);
      break;
    case "assignment":
    case "augmented_assignment":
      useAssignment(reading, node, scope);
      break;
    case "import_statement":
    case "import_from_statement":
      useImports(reading, node);
      break;
    case "function_definition":
    case "class_definition": {
      const named = child(node, "name");
      if (named) reading.noteText("define", reading.identifier(named), named);
      break;
    }
    case "assert_statement":
      reading.note("call", [name("assert")], node, [], true);
      break;
    case "exec_statement":
    case "print_statement":
      if (node.type === "exec_statement") reading.note("call", [name("builtins.exec")], node, [], true);
      break;
    case "comment":
      useComment(reading, node);
      break;
  }
}

function useCall(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const callee = child(node, "function");
  if (!callee) return;
  const args = argumentsOf(reading, node, scope);
  const called = reading.evaluate(callee, scope);
  reading.note("call", called, callee, args);
  useWithin(reading, called, args, { callee, call: node }, (own, given) => givenTo(reading, own, given));
  const [first] = args;
  if (first && isNamed(called, (one) => RUNS_TEXT.has(one))) reading.noteInner(first.values, node);
  // `methodcaller("system", "id")(os)` calls what it names.
  if (isNamed(called, (one) => one.startsWith("operator.methodcaller(")))
    reading.note("call", unwrapped(reading.evaluate(node, scope)), callee, [], true);
}

/** Their first argument is Python text. */
const RUNS_TEXT = new Set(["builtins.eval", "builtins.exec", "builtins.compile", "timeit.timeit", "code.interact"]);

const unwrapped = (values: Values): Values =>
  values.map((value) => (value.kind === "name" ? name(value.name.replace(/\(\)$/, ""), true) : value));

/** `hasattr(os, "fork")`, `getattr(os, "x")`, `isinstance(x, y)`: what is asked of is not handed on. */
const ASKING = /(?:^|[^\w.])(?:hasattr|getattr|isinstance|issubclass|dir)\s{0,4}$/;

const isOnlyAsked = (reading: FileReading, parent: SyntaxNode | null): boolean =>
  parent?.type === "argument_list" && isArgumentOf(ASKING, reading, parent);

const HANDING_ON: HandingOn = {
  only: new Map([
    ["subscript", "subscript"],
    ["assignment", "right"],
    ["augmented_assignment", "right"],
    ["keyword_argument", "value"],
    ["default_parameter", "value"],
    ["typed_default_parameter", "value"],
    ["named_expression", "value"],
    ["for_statement", "right"],
    ["for_in_clause", "right"],
  ]),
  allBut: new Map([["call", ["function"]]]),
  never: new Set([
    "attribute",
    "decorator",
    "parameters",
    "lambda_parameters",
    "typed_parameter",
    "type",
    "dotted_name",
    "aliased_import",
    "function_definition",
    "class_definition",
    "global_statement",
    "nonlocal_statement",
    "delete_statement",
    "as_pattern_target",
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "expression_statement",
    "except_clause",
    "comparison_operator",
    "generic_type",
    "type_parameter",
    "list_splat_pattern",
    "dictionary_splat_pattern",
  ]),
};

/** `sys.modules["x"] = …`, `unittest.TestCase.assertEqual = …` */
function useAssignment(reading: FileReading, node: SyntaxNode, scope: Scope): void {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!left || !right) return;
  const args = [argument(reading.evaluate(right, scope))];
  const targets = left.type === "pattern_list" || left.type === "tuple_pattern" ? namedChildren(left) : [left];
  for (const target of targets) {
    if (target.type === "attribute") {
      const object = child(target, "object");
      const member = child(target, "attribute");
      // The path itself: what was assigned to it elsewhere is not what is changed.
      const paths = (object ? reading.evaluate(object, scope) : []).map((one) =>
        name(`${one.kind === "name" ? one.name : "?"}.${member ? reading.identifier(member) : "?"}`),
      );
      reading.note("assign", paths, target, args);
    }
    if (target.type === "identifier") reading.note("assign", [name(reading.identifier(target))], target, args);
    if (target.type === "subscript") {
      const object = child(target, "value");
      const values = object ? reading.evaluate(object, scope) : [];
      reading.note(
        "assign",
        values.map((one) => (one.kind === "name" ? name(`${one.name}[]`, one.hidden) : one)),
        target,
        args,
      );
    }
  }
}

function useImports(reading: FileReading, node: SyntaxNode): void {
  const from = child(node, "module_name");
  const module = from ? reading.identifier(from).replace(/\s/g, "") : null;
  if (from && module !== null) reading.note("import", [canonical(module)], from);
  for (const one of node.children.filter(({ field }) => field === "name")) {
    const path = one.type === "aliased_import" ? child(one, "name") : one;
    if (!path) continue;
    const dotted = reading.identifier(path).replace(/\s/g, "");
    reading.note("import", [canonical(module === null ? dotted : `${module}.${dotted}`)], path);
  }
}
