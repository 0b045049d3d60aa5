import { within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { childOf, type MutationEdit, type Place, textOf } from "../mutations.ts";

/** A function that empties its arguments when it is done; none where its text cannot be set in, or it has no argument. */
export function spoiledInputs({ node, text }: Place): MutationEdit[] {
  const body = node.type === "function_definition" ? childOf(node, "body") : undefined;
  const names = argumentsOf(node, text);
  if (!body || names.length === 0 || body.row === node.row || hasLongText(body)) return [];
  const indent = text.slice(text.lastIndexOf("\n", body.from) + 1, body.from);
  if (indent.trim() !== "") return [];
  const own = ` ${textOf(body, text)}`.replaceAll("\n", "\n ");
  const kinds = "(list, dict, set, bytearray)";
  const empty = `[one.clear() for one in given_ if type(one) in ${kinds}]`;
  // Taken first: a name may come to stand for something else.
  const replacement = `given_ = (${names.join(", ")},)\n${indent}try:\n${indent}${own}\n${indent}finally:\n${indent} ${empty}`;
  const { from, to } = body;
  return [{ operator: "input", from, to, replacement, shown: body, said: "it empties what it was given" }];
}

/** An object's own state is not what it was given. */
function argumentsOf(node: SyntaxNode, text: string): string[] {
  const given = childOf(node, "parameters")?.children ?? [];
  return given
    .map((one) => (one.type === "identifier" ? one : (childOf(one, "name") ?? one.children[0])))
    .flatMap((name) => (name?.type === "identifier" ? [textOf(name, text)] : []))
    .filter((name) => name !== "self" && name !== "cls");
}

/** A text over several lines would become another one. */
const hasLongText = (body: SyntaxNode): boolean =>
  [...within(body)].some((one) => one.type === "string" && one.children.some(({ row }) => row !== one.row));
