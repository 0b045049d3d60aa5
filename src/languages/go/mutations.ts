import type { SyntaxNode } from "../../syntax/parse.ts";
import {
  letterEdits,
  negated,
  neverEntered,
  numberEdits,
  operatorsIn,
  patternEdits,
  withoutEntries,
  withoutNot,
  withoutOperand,
  withoutSign,
} from "../mutation-edits.ts";
import { childOf, type MutationEdit, type Mutations, type Place, replace, textOf } from "../mutations.ts";

const LEFT_ALONE = new Set([
  ...["package_clause", "import_declaration", "type_declaration", "comment", "parameter_list", "array_type"],
  ...["generic_type", "type_conversion_expression"],
]);

/** What a result of this type is when nothing was worked out. */
const ZERO: Record<string, string> = { string: '""', bool: "false", error: "nil", any: "nil" };
const NUMBER = /^(u?int(8|16|32|64|ptr)?|float(32|64)|byte|rune)$/;
const NILABLE = new Set(["pointer_type", "slice_type", "map_type", "channel_type", "function_type", "interface_type"]);

export const GO_MUTATIONS: Mutations = {
  isLeftAlone: ({ node, text }) => LEFT_ALONE.has(node.type) || isLogged(node, text),

  edits(place) {
    const { node, text } = place;
    switch (node.type) {
      case "binary_expression":
        return [...operatorsIn(node, text), ...(isLogical(node) ? withoutOperand(node, text) : [])];
      case "assignment_statement":
        return operatorsIn(node, text);
      case "int_literal":
      case "float_literal":
        return numberEdits(node, text);
      case "true":
        return [replace(node, "constant", "false")];
      case "false":
        return [replace(node, "constant", "true")];
      case "interpreted_string_literal":
      case "raw_string_literal":
        return stringEdits(place);
      case "rune_literal":
        return /^'[^\\]'$/.test(textOf(node, text)) ? letterEdits(node, node.from + 1, node.to - 1, text) : [];
      case "unary_expression":
        return [...withoutNot(node, text), ...withoutSign(node, text)];
      case "literal_value":
        return withoutEntries(node, () => true);
      case "slice_expression":
        return node.children
          .filter(({ field }) => field === "start" || field === "end")
          .map((bound) => ({ ...replace(bound, "boundary", "", node), unless: bound }));
      case "break_statement":
        return node.children.length > 1 ? [] : [replace(node, "condition", "continue")];
      case "continue_statement":
        return node.children.length > 1 ? [] : [replace(node, "condition", "break")];
      case "if_statement":
        return negated(childOf(node, "condition"), text);
      case "for_clause":
        return neverEntered(childOf(node, "condition"), "false");
      case "return_statement":
        return zeroInstead(place);
      case "inc_statement":
      case "dec_statement":
        return otherWay(place);
      case "expression_statement":
        return removedCall(node);
      default:
        return [];
    }
  },
};

/** What the program tells people on the way. */
const isLogged = (node: SyntaxNode, text: string): boolean =>
  node.type === "expression_statement" &&
  /^(log|slog|logger)\.(Print|Debug|Info|Warn|Error)\w*\(/.test(textOf(node, text));

const isLogical = (node: SyntaxNode): boolean =>
  node.children.some(({ field, type }) => field === "operator" && (type === "&&" || type === "||"));

/** Not what an error says. */
function stringEdits({ node, above, text }: Place): MutationEdit[] {
  const call = above.findLast(({ type }) => type === "call_expression");
  const called = call && childOf(call, "function");
  if (called && /^(errors\.New|fmt\.Errorf|panic)$/.test(textOf(called, text))) return [];
  const [from, to] = [node.from + 1, node.to - 1];
  const patterns =
    called && /^regexp\.(Must)?Compile/.test(textOf(called, text)) ? patternEdits(node, from, to, text) : [];
  const emptied = replace(node, "constant", from === to ? '"mutant"' : '""');
  return [emptied, ...letterEdits(node, from, to, text), ...patterns];
}

/** Each result by itself becomes the zero of its type, where the type is one whose zero is known. */
function zeroInstead({ node, above, text }: Place): MutationEdit[] {
  const types = resultTypes(above, text);
  const values =
    node.children.find(({ type }) => type === "expression_list")?.children.filter(({ named }) => named) ?? [];
  if (types.length !== values.length) return [];
  return values.flatMap((value, index) => {
    const type = types[index];
    const zero = type && zeroOf(type, text);
    return zero === null || zero === undefined || textOf(value, text) === zero
      ? []
      : [replace(value, "return", zero, node)];
  });
}

function resultTypes(above: readonly SyntaxNode[], text: string): SyntaxNode[] {
  const types = ["function_declaration", "method_declaration", "func_literal"];
  const result = above.findLast(({ type }) => types.includes(type))?.children.find(({ field }) => field === "result");
  if (!result) return [];
  if (result.type !== "parameter_list") return [result];
  return result.children
    .filter(({ type }) => type === "parameter_declaration")
    .flatMap((one) => {
      const type = childOf(one, "type");
      const names = one.children.filter(({ field, named }) => field === "name" && named).length;
      return type ? Array.from({ length: Math.max(1, names) }, () => type) : [];
    })
    .filter((type) => textOf(type, text) !== "");
}

function zeroOf(type: SyntaxNode, text: string): string | null {
  const name = textOf(type, text);
  if (NUMBER.test(name)) return "0";
  return NILABLE.has(type.type) ? "nil" : (ZERO[name] ?? null);
}

/** A loop that counts the other way would mostly never end: it takes two steps at once. */
function otherWay({ node, above, text }: Place): MutationEdit[] {
  const sign = node.children.at(-1);
  if (!sign) return [];
  if (above.at(-1)?.type === "for_clause") return [replace(sign, "arithmetic", ` ${textOf(sign, text)[0]}= 2`, node)];
  return [replace(sign, "arithmetic", textOf(sign, text) === "++" ? "--" : "++", node)];
}

function removedCall(node: SyntaxNode): MutationEdit[] {
  const only = node.children[0];
  return only?.type === "call_expression" ? [replace(only, "call-removal", "{}")] : [];
}
