import { fieldOf, textOf } from "../../syntax/nodes.ts";
import type { TestNode } from "../test-syntax.ts";
import type { TwinEdits } from "../twin-edits.ts";

/** Turns a whole Go test round: its body is run as a subtest, and where that passes the twin fails. */
export function turnBody(text: string, { node, body }: TestNode, mark: string): TwinEdits | null {
  const parameters = fieldOf(node, "parameters");
  const told = parameters && /^\((\w+) \*(\w+)\.T\)$/.exec(textOf(text, parameters));
  if (!body || !told) return null;
  const [, name = "t", testing = "testing"] = told;
  const before = `{ if ${name}.Run("body", func(${name} *${testing}.T) `;
  const after = `) { ${name}.Fatal("${mark}") } }`;
  const edits = [
    { from: body.from, to: body.from, text: before },
    { from: body.to, to: body.to, text: after },
  ];
  return { edits, after: "", turned: "body" };
}
