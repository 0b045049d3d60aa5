import type { SyntaxNode } from "../../../syntax/parse.ts";
import { child, namedChildren } from "../reading/nodes.ts";
import type { FileReading } from "../reading/reading.ts";
import { returnedBy } from "../reading/returned.ts";
import type { Scope } from "../reading/scope.ts";
import type { Argument } from "../reading/use.ts";
import { UNKNOWNS, type Values } from "../reading/value.ts";

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
]);

const RETURNS = { returns: new Set(["return_statement"]), functions: FUNCTIONS };

/** What a function gives, with what it is given. */
export function returnsOf(
  reading: FileReading,
  node: SyntaxNode,
  scope: Scope,
  given: Map<string, Values> = new Map(),
): Values {
  const body = child(node, "body");
  if (!body) return UNKNOWNS;
  if (body.type === "statement_block") return returnedBy(reading, body, RETURNS, given, scope);
  return reading.withValues(given, body, scope);
}

export function parametersOf(node: SyntaxNode): SyntaxNode[] {
  const single = child(node, "parameter");
  if (single) return [single];
  const several = child(node, "parameters");
  return several ? namedChildren(several) : [];
}

/** What each parameter of a function is, in a call with these arguments. */
export function givenTo(reading: FileReading, node: SyntaxNode, args: readonly Argument[]): Map<string, Values> {
  const given = new Map<string, Values>();
  parametersOf(node).forEach((parameter, index) => {
    const target = child(parameter, "pattern") ?? parameter;
    const argument = args[index];
    if (target.type === "identifier" && argument && !argument.spread)
      given.set(reading.identifier(target), argument.values);
  });
  return given;
}
