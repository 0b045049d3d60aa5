import { fieldOf, type Replacement, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import type { TestNode } from "../test-syntax.ts";
import type { TwinEdits } from "../twin-edits.ts";
import { callbackOf } from "./test-calls.ts";

/**
 * Turns a whole test round, whatever it asserts with: helpers, libraries, matchers of its own. Where its body comes to
 * its end the twin fails, and where it throws or rejects the twin passes. Its parameters stay, because runners read them.
 */
export function turnBody(text: string, { node }: TestNode, mark: string): TwinEdits | null {
  const { callback, body } = callbackOf(node);
  const edits = callback && body ? turnFunction(text, callback, body, mark) : turnValue(node, mark);
  return edits && { edits, after: "", turned: "body" };
}

function turnFunction(text: string, callback: SyntaxNode, body: SyntaxNode, mark: string): Replacement[] {
  const at = (from: number, put: string, to = from): Replacement => ({ from, to, text: put });
  const isAsync = callback.children.some(({ type }) => type === "async");
  const isBlock = body.type === "statement_block";
  const run = (before: string, after: string) => [
    at(body.from, `{ let ended_${mark} = false; try { ${before}(async () => ${isBlock ? "" : "{ return ("}`),
    at(body.to, `${isBlock ? "" : "); }"})()${after}; ended_${mark} = true; } catch {} ${failure(mark)} }`),
  ];
  const start = isAsync ? [] : [at(callback.from, "async ")];
  const done = doneOf(text, callback, body);
  if (!done) return [...start, ...run("await ", "")];
  const told = `const ${textOf(text, done)} = (error) => (error ? no_${mark}(error) : yes_${mark}());`;
  return [
    ...start,
    // A runner waits for a call of it as long as the function takes it.
    at(...withComma(text, done)),
    ...run(`await new Promise((yes_${mark}, no_${mark}) => { ${told} `, `.catch(no_${mark}); })`),
  ];
}

const failure = (mark: string): string => `if (ended_${mark}) throw new Error("${mark}");`;

/** The parameter by which a test says that it is done: it is called, or given on as it is. */
function doneOf(text: string, callback: SyntaxNode, body: SyntaxNode): SyntaxNode | undefined {
  const list = fieldOf(callback, "parameters");
  const parameters = (list?.children ?? []).filter((child) => child.named && child.type !== "comment");
  const names = parameters.flatMap((one) => (one.type === "identifier" ? [one] : (fieldOf(one, "pattern") ?? [])));
  const used = [...within(body)].flatMap((node) =>
    node.type === "call_expression" ? [calleeOf(node), ...argumentsOf(node)] : [],
  );
  const isUsed = (name: string) => used.some((one) => one?.type === "identifier" && textOf(text, one) === name);
  return names.find((one) => /^(done|cb|callback|next)$/.test(textOf(text, one)) && isUsed(textOf(text, one)));
}

const withComma = (text: string, { from, to }: SyntaxNode): [number, string, number] => {
  const before = /,\s*$/.exec(text.slice(0, from));
  return [before ? before.index : from, "", to];
};

/** The test is a value that is made elsewhere. */
function turnValue(call: SyntaxNode, mark: string): Replacement[] | null {
  const given = argumentsOf(call).slice(1);
  const value = given.findLast(({ type }) => /^(identifier|call_expression|member_expression)$/.test(type));
  if (!value) return null;
  return [
    { from: value.from, to: value.from, text: `turned_${mark}(` },
    { from: value.to, to: value.to, text: ")" },
  ];
}

export const turnBodySupport = (mark: string): string => `
function turned_${mark}(test) {
  if (typeof test !== "function") return test;
  return async function (...given) {
    let ended_${mark} = false;
    try {
      await test.apply(this, given);
      ended_${mark} = true;
    } catch {}
    ${failure(mark)}
  };
}
`;
