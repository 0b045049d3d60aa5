import type { SyntaxNode } from "../../syntax/parse.ts";
import {
  besideHead,
  exchanged,
  letterEdits,
  neverEntered,
  numberEdits,
  operandOf,
  operatorsIn,
  patternEdits,
  withoutEntries,
  withoutNot,
  withoutOperand,
  withoutSign,
} from "../mutation-edits.ts";
import {
  childOf,
  isForPeople,
  isLogLine,
  type MutationEdit,
  type Mutations,
  otherValue,
  type Place,
  replace,
  textOf,
  whereNothingElse,
} from "../mutations.ts";
import { alikeValues } from "./alike-values.ts";
import { spoiledInputs } from "./spoil-inputs.ts";

const LEFT_ALONE = new Set([
  ...["import_statement", "import_from_statement", "future_import_statement", "type", "type_alias_statement"],
  ...["comment", "format_specifier", "global_statement", "nonlocal_statement"],
]);

/** Operators of Python that stand between operands, by the node they stand in. */
const WITH_OPERATOR = new Set([
  ...["comparison_operator", "binary_operator", "boolean_operator", "augmented_assignment"],
]);

/** A comparison is turned round by its own operator, and `not x` becomes `x`: no need to say it twice. */
const TURNED_BY_ITSELF = new Set(["comparison_operator", "not_operator"]);

export const PYTHON_MUTATIONS: Mutations = {
  inputs: spoiledInputs,
  alikes: alikeValues,

  isLeftAlone({ node, above, text }) {
    if (LEFT_ALONE.has(node.type) || above.at(-1)?.type === "decorator") return true;
    if (isLogLine(node, text)) return true;
    if (node.type === "expression_statement") return node.children.every(({ type }) => type === "string");
    if (node.type !== "if_statement") return false;
    const condition = childOf(node, "condition");
    const isTyping = /^\s*(from typing import\b.*\bTYPE_CHECKING\b(?! as)|import typing\b)/m.test(text);
    return condition !== undefined && isTyping && /^(typing\.)?TYPE_CHECKING$/.test(textOf(condition, text));
  },

  edits(place) {
    const { node, above, text } = place;
    if (node.type === "boolean_operator") return [...operatorsIn(node, text), ...withoutOperand(node, text)];
    if (WITH_OPERATOR.has(node.type)) return operatorsIn(node, text);
    if (ENTRIES.has(node.type)) return withoutEntries(node, () => true);
    switch (node.type) {
      case "integer":
      case "float":
        return numberEdits(node, text);
      case "true":
        return [replace(node, "constant", "False")];
      case "false":
        return [replace(node, "constant", "True")];
      case "string":
        return stringEdits(place);
      case "not_operator":
        return withoutNot(node, text);
      case "if_statement":
      case "elif_clause":
        return negated(childOf(node, "condition"), text);
      case "while_statement":
        return neverEntered(childOf(node, "condition"), "False");
      case "conditional_expression":
        return conditional(node, text);
      case "subscript":
        return chosen(node);
      case "unary_operator":
        return withoutSign(node, text);
      case "slice":
        return node.children
          .filter(({ named }) => named)
          .map((bound) => ({ ...replace(bound, "boundary", "", node), unless: bound }));
      case "argument_list":
        return withoutEntries(
          node,
          (given) => isNamed(given) && !isForPeople({ above: [...above, node, given], text }),
        );
      case "default_parameter":
      case "typed_default_parameter":
        return otherDefault(node);
      case "break_statement":
      case "continue_statement":
        return otherJump(place);
      case "decorator":
        return decoratorEdits(node, text);
      case "lambda":
      case "yield":
        return nothingInstead(node.type === "lambda" ? childOf(node, "body") : operandOf(node), node);
      case "block":
        return /^(function|class)_definition$/.test(above.at(-1)?.type ?? "")
          ? []
          : besideHead(node, text, "raise RuntimeError");
      case "pass_statement":
        // An error that is swallowed: that no test meets it is seen in no line.
        return above.at(-2)?.type === "except_clause" ? [replace(node, "condition", "raise")] : [];
      case "delete_statement":
        return [replace(node, "call-removal", "pass")];
      case "if_clause":
        return negated(operandOf(node), text);
      case "return_statement":
        return operandOf(node) ? nothingInstead(operandOf(node), node) : [replace(node, "return", "pass")];
      case "expression_statement":
        return removedCall(node);
      case "for_statement":
      case "with_statement":
      case "match_statement":
        return [{ ...replace(node, "call-removal", "pass"), unless: node }];
      default:
        return [];
    }
  },

  values({ node, above, text }) {
    if (node.type === "raise_statement") return [replace(node, "value", "pass")];
    const isReturn = node.type === "return_statement";
    const value = isReturn ? operandOf(node) : node.type === "assignment" ? childOf(node, "right") : undefined;
    if (!value || value.type === "assignment" || value.type === "yield") return [];
    const isMapping = !isReturn && EMPTY_MAPPING.test(textOf(value, text));
    if (value.type !== "none" && !isMapping) return [otherValue(value, OTHER_VALUE, node, text)];
    // A key that nobody asks for says nothing of a mapping that is filled later.
    const other = replace(value, "value", isMapping ? "None" : "1", node);
    return isReturn
      ? []
      : whereNothingElse(
          other,
          above.findLast(({ type }) => type === "function_definition"),
        );
  },
};

/** Another value of the same type where one is at hand; of an object nobody knows one, so that it is lost. */
const OTHER_VALUE = `(lambda v: (not v) if isinstance(v, bool) else 1 if v is None else v + "x" if isinstance(v, str) \
else v + b"x" if isinstance(v, bytes) else v + 1 if hasattr(v, "__add__") and hasattr(v, "__float__") \
else (v + v[:1] or type(v)([None])) if type(v) in (list, tuple) \
else (dict(list(v.items())[1:]) or {} if v else {0: 0}) if type(v) is dict \
else (type(v)(list(v)[1:]) if v else type(v)([0])) if type(v) in (set, frozenset) else None)`;

const EMPTY_MAPPING = /^(\{\s*\}|(collections\.)?((dict|set|Counter|OrderedDict)\(\s*\)|defaultdict\(\s*\w+\s*\)))$/;

const isNamed = ({ type }: SyntaxNode): boolean => type === "keyword_argument" || type === "dictionary_splat";

const ENTRIES = new Set(["list", "set", "dictionary"]);
const PATTERN_CALL = /^(re|regex)\.(compile|match|fullmatch|search|sub|subn|split|findall|finditer)$/;

/** Not what an exception says: its words are for people, and a test that insists on them is rarely wanted. */
function stringEdits({ node, above, text }: Place): MutationEdit[] {
  if (above.some(({ type }) => type === "raise_statement") || isForPeople({ above, text })) return [];
  const opening = node.children[0];
  const closing = node.children.at(-1);
  if (!opening || !closing || opening === closing) return [];
  const contents = node.children.filter(({ type }) => type === "string_content");
  const letters = contents.flatMap(({ from, to }) => letterEdits(node, from, to, text)).slice(0, 1);
  const isPart = above.at(-1)?.type === "concatenated_string";
  if (isPart || node.children.some(({ type }) => type === "interpolation")) return letters;
  const content = opening.to === closing.from ? "mutant" : "";
  const emptied = replace(node, "constant", `${textOf(opening, text)}${content}${textOf(closing, text)}`);
  const patterns = isPattern({ node, above, text }) ? patternEdits(node, opening.to, closing.from, text) : [];
  return [emptied, ...letters, ...patterns];
}

/** The first thing that is given to a function of regular expressions. */
function isPattern({ node, above, text }: Place): boolean {
  const given = above.at(-1);
  const called = above.at(-2) && childOf(above.at(-2) ?? node, "function");
  const isFirst = given?.type === "argument_list" && given.children.find(({ named }) => named) === node;
  return isFirst && called !== undefined && PATTERN_CALL.test(textOf(called, text));
}

/** The condition turned round, and each arm by itself. */
function conditional(node: SyntaxNode, text: string): MutationEdit[] {
  const [first, condition, second] = node.children.filter(({ named, type }) => named && type !== "comment");
  return [...negated(condition, text), ...(first && second ? exchanged(first, second, node, text) : [])];
}

/** `(a, b)[i]` and `{True: a, False: b}[i]` choose like a condition: each of their values is an arm. */
function chosen(node: SyntaxNode): MutationEdit[] {
  const from = childOf(node, "value");
  if (!from || !/^(tuple|list|dictionary)$/.test(from.type)) return [];
  const parts = from.children.filter(({ named, type }) => named && type !== "comment");
  const arms = parts.flatMap((part) => (part.type === "pair" ? (childOf(part, "value") ?? []) : part));
  return arms.map((arm) => ({ ...replace(arm, "condition", "None", node), unless: arm }));
}

function otherDefault(node: SyntaxNode): MutationEdit[] {
  const value = childOf(node, "value");
  return value ? [{ ...replace(value, "constant", value.type === "none" ? "0" : "None", node), unless: value }] : [];
}

/** A loop over something ends by itself; any other is left instead of going on for ever. */
function otherJump({ node, above }: Place): MutationEdit[] {
  if (node.type === "continue_statement") return [replace(node, "condition", "break")];
  const loop = above.findLast(({ type }) => type === "for_statement" || type === "while_statement");
  if (loop?.type === "for_statement") return [replace(node, "condition", "continue")];
  return above.some(({ type }) => type === "function_definition") ? [replace(node, "condition", "return")] : [];
}

/** For readers and type checkers, or so that something is faster: nothing else changes without it. */
const UNSEEN_DECORATOR =
  /^@([\w.]+\.)?(overload|override|final|abstractmethod|no_type_check|runtime_checkable|deprecated|wraps|cache|lru_cache)\b/;

const decoratorEdits = (node: SyntaxNode, text: string): MutationEdit[] =>
  UNSEEN_DECORATOR.test(textOf(node, text)) ? [] : [replace(node, "call-removal", "")];

function negated(condition: SyntaxNode | undefined, text: string): MutationEdit[] {
  if (!condition || TURNED_BY_ITSELF.has(condition.type)) return [];
  return [replace(condition, "condition", `not (${textOf(condition, text)})`)];
}

/** `True` and `False` become each other: whoever takes them for a condition takes nothing for `False`. */
const nothingInstead = (value: SyntaxNode | undefined, node: SyntaxNode): MutationEdit[] =>
  !value || /^(none|true|false)$/.test(value.type) ? [] : [replace(value, "return", "None", node)];

/** A call as a statement goes; anything else that is no assignment goes where nothing in it can be changed. */
function removedCall(node: SyntaxNode): MutationEdit[] {
  const [only, ...others] = node.children;
  if (!only || /assignment$|^yield$/.test(only.type)) return [];
  const call = only.type === "await" ? only.children.find(({ named }) => named) : only;
  const isCall = others.length === 0 && call?.type === "call";
  return [isCall ? replace(only, "call-removal", "pass") : { ...replace(node, "call-removal", "pass"), unless: node }];
}
