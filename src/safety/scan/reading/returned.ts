import type { SyntaxNode } from "../../../syntax/parse.ts";
import { namedChildren } from "./nodes.ts";
import type { FileReading } from "./reading.ts";
import { UNKNOWNS, union, type Values } from "./value.ts";

const MOST_RESULTS = 8;

/** How a language writes what a function gives. */
interface ReturnSyntax {
  /** `return` and `yield`. */
  returns: ReadonlySet<string>;
  /** What is returned in these is returned by them. */
  functions: ReadonlySet<string>;
}

/** What the statements of a body return, with what its function is given. */
export function returnedBy(
  reading: FileReading,
  body: SyntaxNode,
  syntax: ReturnSyntax,
  given: Map<string, Values>,
  scope = reading.scopeOf(body),
): Values {
  const results = reading.returnedBy(body, () => returnedIn(body, syntax));
  return results.length === 0 ? UNKNOWNS : union(...results.map((result) => reading.withValues(given, result, scope)));
}

function returnedIn(body: SyntaxNode, { returns, functions }: ReturnSyntax): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [...body.children];
  for (let next = open.pop(); next && found.length < MOST_RESULTS; next = open.pop()) {
    if (returns.has(next.type)) {
      const [value] = namedChildren(next);
      if (value) found.push(value);
    } else if (!functions.has(next.type)) open.push(...next.children);
  }
  return found;
}
