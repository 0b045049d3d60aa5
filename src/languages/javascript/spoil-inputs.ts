import type { SyntaxNode } from "../../syntax/parse.ts";
import { childOf, type MutationEdit, type Place, textOf } from "../mutations.ts";

const FUNCTION = /^(function_declaration|function_expression|method_definition|arrow_function)$/;

/** A function that empties its arguments when it is done; none where no argument has a name of its own. */
export function spoiledInputs({ node, text }: Place): MutationEdit[] {
  const body = FUNCTION.test(node.type) ? childOf(node, "body") : undefined;
  const names = argumentsOf(node, text);
  if (!body || names.length === 0) return [];
  const own = textOf(body, text);
  const block = body.type === "statement_block" ? own : `{ return (${own}); }`;
  const { from, to } = body;
  // Taken first: a name may come to stand for something else.
  const replacement = `{ const given_ = [${names.join(", ")}]; try ${block} finally { ${EMPTY} } }`;
  return [{ operator: "input", from, to, replacement, shown: body, said: "it empties what it was given" }];
}

function argumentsOf(node: SyntaxNode, text: string): string[] {
  const single = childOf(node, "parameter");
  if (single) return single.type === "identifier" ? [textOf(single, text)] : [];
  const given = childOf(node, "parameters")?.children ?? [];
  return given.flatMap((one) => {
    const name = one.type === "identifier" ? one : (childOf(one, "pattern") ?? childOf(one, "left"));
    return name?.type === "identifier" ? [textOf(name, text)] : [];
  });
}

const EMPTY =
  "for (const one of given_) { " +
  "if (Array.isArray(one)) one.length = 0; " +
  "else if (one instanceof Map || one instanceof Set) one.clear(); " +
  'else if (one !== null && typeof one === "object") for (const key of Object.keys(one)) Reflect.deleteProperty(one, key); }';
