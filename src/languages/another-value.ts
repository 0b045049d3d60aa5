import { fieldOf, type Replacement, textOf, within } from "../syntax/nodes.ts";
import type { SyntaxNode } from "../syntax/parse.ts";

const LITERAL = /^(integer|float|number|string|true|false|none|null|concatenated_string)$/;
const CONTAINER = /^(list|tuple|set|dictionary|array|object|parenthesized_expression|unary_operator|unary_expression)$/;

/** True if nothing in it is computed: literals, and lists and the like of literals. */
export function isWrittenOut(node: SyntaxNode): boolean {
  if (LITERAL.test(node.type)) return ![...within(node)].some((one) => one.type === "interpolation");
  const parts = node.children.filter((child) => child.named && child.type !== "comment");
  if (node.type === "pair") {
    const [key, value] = [fieldOf(node, "key"), fieldOf(node, "value")];
    return (
      key !== undefined &&
      value !== undefined &&
      (key.type === "property_identifier" || isWrittenOut(key)) &&
      isWrittenOut(value)
    );
  }
  return CONTAINER.test(node.type) && parts.every(isWrittenOut);
}

/**
 * Replaces a literal value by another one, as a person might have written it, so that it looks like any other
 * expectation. `word`: hexadecimal digits that nobody knows beforehand.
 */
export function anotherValue(text: string, node: SyntaxNode, word: string): Replacement | null {
  const own = textOf(text, node);
  const put = (code: string): Replacement => ({ from: node.from, to: node.to, text: code });
  switch (node.type) {
    case "integer":
    case "float":
    case "number":
      return put(
        /^\d+(\.\d+)?$/.test(own) ? own.replace(/^\d+/, (digits) => larger(digits, word)) : larger("0000", word),
      );
    case "true":
    case "false":
      return put(OPPOSITE[own] ?? own);
    case "string":
      return anotherText(text, node, word);
    case "none":
    case "null":
      return null;
  }
  const parts = node.children.filter((child) => child.named && child.type !== "comment");
  if (parts.length === 0) return emptied(node, own, word);
  for (const part of parts) {
    const value = part.type === "pair" ? fieldOf(part, "value") : part;
    const found = value ? anotherValue(text, value, word) : null;
    if (found) return found;
  }
  return null;
}

const OPPOSITE: Record<string, string> = { true: "false", false: "true", True: "False", False: "True" };

/** One digit more, so that it differs from any old number. */
function larger(digits: string, word: string): string {
  const drawn = BigInt(`0x${word}`)
    .toString()
    .padStart(digits.length + 1, "5");
  return `${1 + (Number(drawn[0]) % 9)}${drawn.slice(-digits.length)}`;
}

function anotherText(text: string, node: SyntaxNode, word: string): Replacement | null {
  const content = node.children.find((child) => /^string_(content|fragment)$/.test(child.type));
  if (!content) {
    const isEmpty = /^[a-zA-Z]*(""|'')$/.test(textOf(text, node));
    return isEmpty ? { from: node.to - 1, to: node.to - 1, text: letters(word) } : null;
  }
  // Only up to the first escape: inside an escape a letter means something else.
  const plain = textOf(text, content).split("\\")[0] ?? "";
  const number = /\d+(?=\D*$)/.exec(plain);
  if (number) {
    const from = content.from + number.index;
    return { from, to: from + number[0].length, text: larger(number[0], word) };
  }
  const last = /[a-zA-Z](?=[^a-zA-Z]*$)/.exec(plain);
  if (!last) return { from: content.from, to: content.from, text: letters(word) };
  const [drawn = "m", next = "n"] = [letters(word)[0], letters(word)[0] === "m" ? "n" : "m"];
  const from = content.from + last.index;
  return { from, to: from + 1, text: drawn === last[0].toLowerCase() ? next : drawn };
}

const letters = (word: string): string =>
  [...word.slice(0, 4)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");

function emptied(node: SyntaxNode, own: string, word: string): Replacement | null {
  const number = larger("00", word);
  const filled: Record<string, string> = {
    list: `[${number}]`,
    array: `[${number}]`,
    tuple: `(${number},)`,
    dictionary: `{"${letters(word)}": ${number}}`,
    object: `{ ${letters(word)}: ${number} }`,
  };
  const code = /^[[({]\s*[\])}]$/.test(own) ? filled[node.type] : undefined;
  return code === undefined ? null : { from: node.from, to: node.to, text: code };
}
