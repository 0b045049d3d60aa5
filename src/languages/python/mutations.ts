import type { SyntaxNode } from "../../syntax/parse.ts";
import { neverEntered, numberEdits, operandOf, operatorsIn, withoutNot } from "../mutation-edits.ts";
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
} from "../mutations.ts";

const LEFT_ALONE = new Set([
  ...["import_statement", "import_from_statement", "future_import_statement", "type", "type_alias_statement"],
  ...["comment", "decorator", "format_specifier", "global_statement", "nonlocal_statement"],
]);

/** Operators of Python that stand between operands, by the node they stand in. */
const WITH_OPERATOR = new Set([
  ...["comparison_operator", "binary_operator", "boolean_operator", "augmented_assignment"],
]);

/** A comparison is turned round by its own operator, and `not x` becomes `x`: no need to say it twice. */
const TURNED_BY_ITSELF = new Set(["comparison_operator", "not_operator"]);

export const PYTHON_MUTATIONS: Mutations = {
  isLeftAlone({ node, text }) {
    if (LEFT_ALONE.has(node.type)) return true;
    if (isLogLine(node, text)) return true;
    if (node.type === "expression_statement") return node.children.every(({ type }) => type === "string");
    if (node.type !== "if_statement") return false;
    const condition = childOf(node, "condition");
    return condition !== undefined && /^(typing\.)?TYPE_CHECKING$/.test(textOf(condition, text));
  },

  edits(place) {
    const { node, text } = place;
    if (WITH_OPERATOR.has(node.type)) return operatorsIn(node, text);
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
        return negated(node.children.filter(({ named }) => named)[1], text);
      case "if_clause":
        return negated(operandOf(node), text);
      case "return_statement":
        return returned(node);
      case "expression_statement":
        return removedCall(node);
      default:
        return [];
    }
  },

  values({ node, text }) {
    if (node.type === "raise_statement") return [replace(node, "value", "pass")];
    const isReturn = node.type === "return_statement";
    const value = isReturn ? operandOf(node) : node.type === "assignment" ? childOf(node, "right") : undefined;
    if (!value || value.type === "none" || value.type === "assignment" || value.type === "yield") return [];
    return [otherValue(value, OTHER_VALUE, node, text)];
  },
};

/** Another value of the same type where one is at hand; of an object nobody knows one, so that it is lost. */
const OTHER_VALUE = `(lambda v: (not v) if isinstance(v, bool) else 1 if v is None else v + "x" if isinstance(v, str) \
else v + b"x" if isinstance(v, bytes) else v + 1 if hasattr(v, "__add__") and hasattr(v, "__float__") \
else (v + v[:1] or type(v)([None])) if type(v) in (list, tuple) \
else (dict(list(v.items())[1:]) or {} if v else {0: 0}) if type(v) is dict \
else (type(v)(list(v)[1:]) if v else type(v)([0])) if type(v) in (set, frozenset) else None)`;

/** Not what an exception says: its words are for people, and a test that insists on them is rarely wanted. */
function stringEdits({ node, above, text }: Place): MutationEdit[] {
  if (node.children.some(({ type }) => type === "interpolation")) return [];
  if (above.at(-1)?.type === "concatenated_string" || above.some(({ type }) => type === "raise_statement")) return [];
  if (isForPeople({ above, text })) return [];
  const opening = node.children[0];
  const closing = node.children.at(-1);
  if (!opening || !closing || opening === closing) return [];
  const isEmpty = opening.to === closing.from;
  const content = isEmpty ? "mutant" : "";
  return [replace(node, "constant", `${textOf(opening, text)}${content}${textOf(closing, text)}`)];
}

function negated(condition: SyntaxNode | undefined, text: string): MutationEdit[] {
  if (!condition || TURNED_BY_ITSELF.has(condition.type)) return [];
  return [replace(condition, "condition", `not (${textOf(condition, text)})`)];
}

function returned(node: SyntaxNode): MutationEdit[] {
  const value = operandOf(node);
  return !value || value.type === "none" ? [] : [replace(value, "return", "None", node)];
}

function removedCall(node: SyntaxNode): MutationEdit[] {
  const [only, ...others] = node.children;
  if (!only || others.length > 0) return [];
  const call = only.type === "await" ? only.children.find(({ named }) => named) : only;
  return call?.type === "call" ? [replace(only, "call-removal", "pass")] : [];
}
