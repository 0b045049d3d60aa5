import type { SyntaxNode } from "../../syntax/parse.ts";
import {
  besideHead,
  exchanged,
  letterEdits,
  negated,
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
  ...["import_statement", "comment", "jsx_attribute", "ambient_declaration"],
  ...["type_annotation", "type_alias_declaration", "interface_declaration", "type_arguments", "type_parameters"],
  ...[
    "literal_type",
    "union_type",
    "object_type",
    "function_signature",
    "abstract_method_signature",
    "index_signature",
    "method_signature",
    "construct_signature",
    "type_predicate_annotation",
    "asserts_annotation",
  ],
]);

const WITH_OPERATOR = new Set(["binary_expression", "augmented_assignment_expression"]);

/** JavaScript and TypeScript, with JSX or without. */
export const JAVASCRIPT_MUTATIONS: Mutations = {
  inputs: spoiledInputs,
  alikes: alikeValues,

  isLeftAlone({ node, above, text }) {
    if (LEFT_ALONE.has(node.type) || isLogLine(node, text) || above.at(-1)?.type === "decorator") return true;
    if (node.type === "export_statement") return childOf(node, "source") !== undefined;
    if (node.type === "expression_statement") return node.children[0]?.type === "string";
    return node.type === "call_expression" && /^(require|import)\b/.test(text.slice(node.from, node.from + 8));
  },

  edits(place) {
    const { node, above, text } = place;
    if (WITH_OPERATOR.has(node.type)) return operators(node, text);
    if (ENTRIES.has(node.type)) return withoutEntries(node, () => true);
    switch (node.type) {
      case "number":
        return numberEdits(node, text).map((edit) => ({ ...edit, replacement: edit.replacement.replace(/\.0$/, "") }));
      case "true":
        return [replace(node, "constant", "false")];
      case "false":
        return [replace(node, "constant", "true")];
      case "string":
        return stringEdits(place);
      case "template_string":
        return templateEdits(place);
      case "regex": {
        const pattern = childOf(node, "pattern");
        return pattern ? patternEdits(node, pattern.from, pattern.to, text) : [];
      }
      case "unary_expression":
        return unaryEdits(node, text);
      case "optional_chain":
        return [replace(node, "condition", above.at(-1)?.type === "member_expression" ? "." : "", above.at(-1))];
      case "assignment_pattern":
      case "object_assignment_pattern": {
        const value = childOf(node, "right");
        return value ? [{ ...replace(value, "constant", "null", node), unless: value }] : [];
      }
      case "break_statement":
      case "continue_statement":
        return otherJump(place);
      case "decorator":
        return [replace(node, "call-removal", "")];
      case "yield_expression":
        return undefinedInstead(operandOf(node), node, text);
      case "update_expression":
        return updateEdits(place);
      case "if_statement":
        return [
          ...negated(inParentheses(childOf(node, "condition")), text),
          ...besideHead(childOf(node, "consequence"), text, THROWS),
        ];
      case "else_clause": {
        const body = operandOf(node);
        return body?.type === "if_statement" ? [] : besideHead(body, text, THROWS);
      }
      case "switch_case":
      case "switch_default":
        return besideHead(childOf(node, "body"), text, THROWS);
      case "for_statement":
        return besideHead(childOf(node, "body"), text, THROWS);
      case "catch_clause": {
        // An error that is swallowed: that no test meets it is seen in no line.
        const body = childOf(node, "body");
        return body && operandOf(body) === undefined
          ? [replace(body, "condition", THROWS)]
          : besideHead(body, text, THROWS);
      }
      case "ternary_expression":
        return ternary(node, text);
      case "while_statement":
      case "do_statement":
        return neverEntered(inParentheses(childOf(node, "condition")), "false");
      case "return_statement":
        return operandOf(node) ? undefinedInstead(operandOf(node), node, text) : [replace(node, "return", ";")];
      case "arrow_function": {
        const body = childOf(node, "body");
        return body?.type === "statement_block" ? [] : undefinedInstead(body, node, text);
      }
      case "expression_statement":
        return removedCall(node);
      case "switch_statement":
      case "for_in_statement":
        return [{ ...replace(node, "call-removal", ";"), unless: node }];
      default:
        return [];
    }
  },

  values({ node, above, text }) {
    if (node.type === "throw_statement") return [replace(node, "value", ";")];
    // What is taken out of an object is another field of it, which nobody knows.
    if (node.type === "shorthand_property_identifier_pattern")
      return [replace(node, "value", `other_: ${textOf(node, text)}`)];
    if (node.type === "pair_pattern") {
      const key = childOf(node, "key");
      return key?.type === "property_identifier" ? [replace(key, "value", "other_", node)] : [];
    }
    const value = givenOn(node);
    if (!value || FUNCTIONS.has(value.type)) return [];
    const isFilled = node.type === "variable_declarator" || node.type === "assignment_expression";
    const isNothing = /^(undefined|null|void 0)$/.test(textOf(value, text));
    const isMapping = isFilled && EMPTY_MAPPING.test(textOf(value, text));
    if (!isNothing && !isMapping) return [otherValue(value, OTHER_VALUE, node, text)];
    // A key that nobody asks for says nothing of a mapping that is filled later.
    const other = replace(value, "value", isMapping ? "undefined" : "1", node);
    return isFilled
      ? whereNothingElse(
          other,
          above.findLast(({ type }) => IN_FUNCTION.test(type)),
        )
      : [];
  },
};

const THROWS = "{ throw new Error(); }";

const EMPTY_MAPPING = /^(\{\s*\}|new (Weak)?(Map|Set)(<[^()]*>)?(\(\s*\))?)$/;

const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function", "class"]);

/** The value of a `return`, an arrow, an assignment or a declaration. */
function givenOn(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "return_statement") return operandOf(node);
  if (node.type === "assignment_expression") return childOf(node, "right");
  if (node.type === "variable_declarator") return childOf(node, "value");
  const body = node.type === "arrow_function" ? childOf(node, "body") : undefined;
  return body?.type === "statement_block" ? undefined : body;
}

/** Another value of the same type where one is at hand; of an object nobody knows one, so that it is lost. */
const OTHER_VALUE = `((v) => typeof v === "boolean" ? !v : typeof v === "number" ? v + 1 : typeof v === "bigint" ? v + 1n \
: typeof v === "string" ? v + "x" : v == null ? 1 : Array.isArray(v) ? (v.length > 0 ? [...v, v[0]] : [null]) \
: v instanceof Set ? new Set([...v, "x"]) : v instanceof Map ? new Map([...v, ["x", 1]]) \
: v instanceof Promise || typeof v === "function" ? undefined \
: Object.getPrototypeOf(v) === Object.prototype ? Object.fromEntries(Object.entries({ ...v, x: 1 }).slice(Object.keys(v).length > 0 ? 1 : 0)) \
: undefined)`;

const ENTRIES = new Set(["array", "object"]);
const LOGICAL = /^(&&|\|\||\?\?)$/;

/** `in` and `instanceof` have no opposite of one word. */
function operators(node: SyntaxNode, text: string): MutationEdit[] {
  const operator = node.children.find(({ field }) => field === "operator");
  const sign = operator ? textOf(operator, text) : "";
  if (sign === "in" || sign === "instanceof") return [replace(node, "comparison", `!(${textOf(node, text)})`)];
  return [...operatorsIn(node, text), ...(LOGICAL.test(sign) ? withoutOperand(node, text) : [])];
}

function unaryEdits(node: SyntaxNode, text: string): MutationEdit[] {
  const written = textOf(node, text);
  if (/^delete\b/.test(written)) return [replace(node, "call-removal", "void 0")];
  if (/^typeof\b/.test(written)) return [replace(node, "constant", '"mutant"')];
  return [...withoutNot(node, text), ...withoutSign(node, text)];
}

/** The condition turned round, and each arm by itself. */
function ternary(node: SyntaxNode, text: string): MutationEdit[] {
  const [first, second] = [childOf(node, "consequence"), childOf(node, "alternative")];
  const arms = first && second ? exchanged(first, second, node, text) : [];
  return [...negated(childOf(node, "condition"), text), ...arms];
}

/** A loop over something ends by itself; any other is left instead of going on for ever. */
function otherJump({ node, above }: Place): MutationEdit[] {
  // With a label they are what they are.
  if (node.children.some(({ field }) => field === "label")) return [];
  if (node.type === "continue_statement") return [replace(node, "condition", "break;")];
  const around = above.findLast(({ type }) => /^(for_in|for|while|do|switch)_statement$/.test(type));
  if (around?.type === "switch_statement") return [replace(node, "condition", ";")];
  if (around?.type === "for_in_statement") return [replace(node, "condition", "continue;")];
  return above.some(({ type }) => IN_FUNCTION.test(type)) ? [replace(node, "condition", "return;")] : [];
}

const IN_FUNCTION = /^(function_|generator_|method_definition|arrow_function)/;

/** Not what an error says: its words are for people. */
const isSaid = ({ above, text }: Place): boolean =>
  above.some(({ type }) => type === "throw_statement") || isForPeople({ above, text });

function stringEdits(place: Place): MutationEdit[] {
  const { node, above, text } = place;
  if (isSaid(place)) return [];
  const quote = text[node.from] ?? '"';
  const isEmpty = node.to - node.from === 2;
  const emptied = replace(node, "constant", `${quote}${isEmpty ? "mutant" : ""}${quote}`);
  const created = above.at(-2);
  const isPattern =
    created && /^(new\s+)?RegExp\b/.test(textOf(created, text)) && operandOf(above.at(-1) ?? node) === node;
  const patterns = isPattern ? patternEdits(node, node.from + 1, node.to - 1, text) : [];
  return [emptied, ...letterEdits(node, node.from + 1, node.to - 1, text), ...patterns];
}

function templateEdits(place: Place): MutationEdit[] {
  const { node, text } = place;
  if (isSaid(place)) return [];
  const fragments = node.children.filter(({ type }) => type === "string_fragment");
  const letters = fragments.flatMap(({ from, to }) => letterEdits(node, from, to, text)).slice(0, 1);
  const isWhole = !node.children.some(({ type }) => type === "template_substitution");
  return isWhole && node.to - node.from > 2 ? [replace(node, "constant", "``"), ...letters] : letters;
}

/** A loop that counts the other way would mostly never end: it takes two steps at once. */
function updateEdits({ node, above, text }: Place): MutationEdit[] {
  const operator = node.children.find(({ field }) => field === "operator");
  const counted = childOf(node, "argument");
  if (!operator || !counted) return [];
  if (above.at(-1)?.type === "for_statement") {
    const step = `${textOf(counted, text)} ${textOf(operator, text)[0]}= 2`;
    return [replace(node, "arithmetic", step)];
  }
  return [replace(operator, "arithmetic", textOf(operator, text) === "++" ? "--" : "++", node)];
}

function inParentheses(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node?.type === "parenthesized_expression" ? node.children.find(({ named }) => named) : node;
}

/** Nothing already; `true` and `false` become each other: whoever takes them for a condition takes nothing for `false`. */
const NOT_MISSED = new Set(["undefined", "null", "void 0", "true", "false"]);

function undefinedInstead(value: SyntaxNode | undefined, shown: SyntaxNode, text: string): MutationEdit[] {
  if (!value || NOT_MISSED.has(textOf(value, text))) return [];
  return [replace(value, "return", "undefined", shown)];
}

/** A call as a statement goes; anything else that is no assignment goes where nothing in it can be changed. */
function removedCall(node: SyntaxNode): MutationEdit[] {
  const only = node.children[0];
  if (!only || /^(assignment|augmented_assignment|update|yield)_expression$/.test(only.type)) return [];
  const call = only.type === "await_expression" ? only.children.find(({ named }) => named) : only;
  if (call?.type !== "call_expression") return [{ ...replace(only, "call-removal", "void 0"), unless: only }];
  return childOf(call, "function")?.type === "super" ? [] : [replace(only, "call-removal", "void 0")];
}
