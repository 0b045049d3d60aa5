import { fieldOf, textOf, within } from "../syntax/nodes.ts";
import type { SyntaxNode } from "../syntax/parse.ts";
import { calleeOf } from "./call-nodes.ts";

/** An option of a program, or a path of a web server. The spec or the project must name it before a test may use it. */
const FLAG = /^--?[a-zA-Z][\w-]*(=.*)?$/;
const ROUTE = /^\/[\w/{}:.-]*[a-zA-Z][\w/{}:.-]*$/;

/** A call that starts a program, or the part of one that reads its command line. */
const STARTS =
  /(^|\.)(run|Popen|call|check_call|check_output|popen|spawn|spawnSync|exec\w*|execFile\w*|fork|main|cli|invoke|parse_args|parseArgs)$/;

export const startsProgram = (called: string): boolean => STARTS.test(called);

/** Stands for a word of a command line that is not written out: it may be anything, and is nobody's flag. */
export const UNKNOWN_WORD = "$";

export const INTERPRETER = /^(sys\.executable|process\.execPath|(.*\/)?(python[\d.]*|node))$/;

/** What follows an interpreter, from its program on: `-m` and `-c` are its own and need no source. */
export const fromProgram = (words: string[]): string[] => {
  const from = words.findIndex((word) => !FLAG.test(word));
  return from === -1 ? [] : words.slice(from);
};

export const flagsIn = (words: string[]) =>
  words.filter((word) => FLAG.test(word)).map((word) => ({ kind: "flag" as const, word: word.split("=")[0] ?? word }));

export const routesIn = (words: string[]) =>
  words
    .filter((word) => ROUTE.test(word))
    .map((word) => ({ kind: "route" as const, word: word.split(/[?{:]/)[0] ?? word }));

const MEMBER = new Set(["attribute", "member_expression", "selector_expression"]);
const CALL = new Set(["call", "call_expression", "new_expression"]);
/** Nodes around a value that are no values themselves. */
const AROUND = new Set([
  ...["await", "await_expression", "as_expression", "satisfies_expression", "non_null_expression"],
  ...["parenthesized_expression"],
]);

/** The name a chain of members and calls starts with: `Stack` of `Stack(2).items.first`. */
export function rootName(text: string, node: SyntaxNode): string | null {
  let at: SyntaxNode | undefined = node;
  while (at) {
    if (at.type === "identifier") return textOf(text, at);
    if (MEMBER.has(at.type)) at = fieldOf(at, "object") ?? fieldOf(at, "operand");
    else if (CALL.has(at.type)) at = calleeOf(at);
    else if (AROUND.has(at.type)) at = at.children.find((child) => child.named);
    else return null;
  }
  return null;
}

/** These names, and variables that hold the result of calling one of them. */
export function ownVariables(text: string, node: SyntaxNode, own: Iterable<string>): Set<string> {
  const known = new Set(own);
  for (const part of within(node)) {
    const [left, right] = sidesOf(part);
    const root = right ? rootName(text, right) : null;
    if (left?.type === "identifier" && root !== null && known.has(root)) known.add(textOf(text, left));
  }
  return known;
}

function sidesOf(node: SyntaxNode): (SyntaxNode | undefined)[] {
  if (node.type === "assignment") return [fieldOf(node, "left"), fieldOf(node, "right")];
  return node.type === "variable_declarator" ? [fieldOf(node, "name"), fieldOf(node, "value")] : [];
}
