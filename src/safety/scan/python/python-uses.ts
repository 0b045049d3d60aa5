import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, isHidden, namedChildren } from "../reading.ts";
import type { Scope } from "../scope.ts";
import { name, type Values } from "../value.ts";
import { canonical } from "./python-bindings.ts";
import { argumentsOf, givenTo } from "./python-calls.ts";
import type { PythonReading } from "./python-reading.ts";

/** What a node does that a rule may speak of. */
export function usePython(reading: PythonReading, node: SyntaxNode, scope: Scope, parent: SyntaxNode | null): void {
  switch (node.type) {
    case "call":
      useCall(reading, node, scope);
      if (parent?.type !== "attribute") reading.noteAssembled(reading.evaluate(node, scope), node);
      // What getattr gives is a name like any other.
      if (isHandedOn(node, parent)) reading.note("mention", reading.evaluate(node, scope).filter(isHidden), node);
      break;
    case "binary_operator":
    case "concatenated_string":
      // The outermost is the whole text.
      if (parent?.type !== node.type) reading.noteAssembled(reading.evaluate(node, scope), node);
      break;
    case "string": {
      const [value] = reading.evaluate(node, scope);
      if (value?.kind === "text" && !value.assembled) {
        // A text that stands by itself explains; only doctest runs it.
        if (parent?.type !== "expression_statement" || reading.runsDocumentation)
          reading.noteText("text", value.text, node);
      } else reading.noteAssembled(value ? [value] : [], node);
      break;
    }
    case "subscript":
      reading.noteAssembled(reading.evaluate(node, scope), node);
      if (isHandedOn(node, parent)) reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "identifier":
    case "attribute":
      if (isHandedOn(node, parent) && !isOnlyAsked(reading, parent))
        reading.note("mention", reading.evaluate(node, scope), node);
      break;
    case "decorator": {
      const [decorated] = namedChildren(node);
      if (decorated) reading.note("call", reading.evaluate(decorated, scope), node, [], true);
      break;
    }
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
      reading.noteText("comment", reading.textOf(node), node);
      break;
  }
}

function useCall(reading: PythonReading, node: SyntaxNode, scope: Scope): void {
  const callee = child(node, "function");
  if (!callee) return;
  const args = argumentsOf(reading, node, scope);
  const called = reading.evaluate(callee, scope);
  reading.note("call", called, callee, args);
  for (const value of called) {
    if (value.kind === "function") reading.noteWithin(value, givenTo(reading, value.node, args), callee, node);
  }
  const [first] = args;
  if (first && called.some((value) => value.kind === "name" && RUNS_TEXT.has(value.name))) {
    reading.noteInner(first.values, node);
  }
  // `methodcaller("system", "id")(os)` calls what it names.
  const result = called.filter((value) => value.kind === "name" && value.name.startsWith("operator.methodcaller("));
  if (result.length > 0) {
    const made = reading.evaluate(node, scope);
    reading.note("call", unwrapped(made), callee, [], true);
  }
}

/** Their first argument is Python text. */
const RUNS_TEXT = new Set(["builtins.eval", "builtins.exec", "builtins.compile", "timeit.timeit", "code.interact"]);

const unwrapped = (values: Values): Values =>
  values.map((value) => (value.kind === "name" ? name(value.name.replace(/\(\)$/, ""), true) : value));

/** `hasattr(os, "fork")`, `getattr(os, "x")`, `isinstance(x, y)`: what is asked of is not handed on. */
function isOnlyAsked(reading: PythonReading, parent: SyntaxNode | null): boolean {
  if (parent?.type !== "argument_list") return false;
  return /(?:^|[^\w.])(?:hasattr|getattr|isinstance|issubclass|dir)\s{0,4}$/.test(
    reading.source.slice(Math.max(0, parent.from - 20), parent.from),
  );
}

/** A value that goes on to somewhere: not what is called, not what a member is taken of, not a new name. */
function isHandedOn(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (!parent) return false;
  switch (parent.type) {
    case "call":
      return node.field !== "function";
    case "attribute":
    case "decorator":
      return false;
    case "subscript":
      return node.field === "subscript";
    case "assignment":
    case "augmented_assignment":
      return node.field === "right";
    case "keyword_argument":
    case "default_parameter":
    case "typed_default_parameter":
    case "named_expression":
      return node.field === "value";
    case "for_statement":
    case "for_in_clause":
      return node.field === "right";
    case "parameters":
    case "lambda_parameters":
    case "typed_parameter":
    case "type":
    case "dotted_name":
    case "aliased_import":
    case "function_definition":
    case "class_definition":
    case "global_statement":
    case "nonlocal_statement":
    case "delete_statement":
    case "as_pattern_target":
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "expression_statement":
    case "except_clause":
    case "comparison_operator":
    case "generic_type":
    case "type_parameter":
    case "list_splat_pattern":
    case "dictionary_splat_pattern":
      return false;
    default:
      return true;
  }
}

/** `sys.modules["x"] = …`, `unittest.TestCase.assertEqual = …` */
function useAssignment(reading: PythonReading, node: SyntaxNode, scope: Scope): void {
  const left = child(node, "left");
  const right = child(node, "right");
  if (!left || !right) return;
  const args = [{ keyword: null, values: reading.evaluate(right, scope), spread: false }];
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

function useImports(reading: PythonReading, node: SyntaxNode): void {
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
