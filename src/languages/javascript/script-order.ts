import type { AnyNode, Expression } from "acorn";

/* What decides whether the order of two statements counts. */

export const isFunctionValue = (node: AnyNode | null | undefined): boolean =>
  node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";

export const isRequired = (node: Expression | null | undefined): boolean =>
  node?.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "require";

/** Nothing of anybody else's runs when it is worked out. */
export function isQuiet(node: AnyNode | null | undefined): boolean {
  if (!node) return true;
  if (isFunctionValue(node) || node.type === "Literal" || node.type === "Identifier") return true;
  if (node.type === "FunctionDeclaration") return true;
  if (node.type === "ArrayExpression") return node.elements.every(isQuiet);
  if (node.type === "UnaryExpression") return isQuiet(node.argument);
  return (
    node.type === "ObjectExpression" &&
    node.properties.every((one) => one.type === "Property" && !one.computed && isQuiet(one.value))
  );
}

/** Names that are said when it runs: not those in the bodies of functions. */
export function readsOf(node: AnyNode | null | undefined): string[] {
  const names = new Set<string>();
  const open: unknown[] = [node];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if ("type" in next && typeof next.type === "string") {
      if (/Function/.test(next.type)) continue;
      if (next.type === "Identifier" && "name" in next && typeof next.name === "string") names.add(next.name);
    }
    open.push(...Object.values(next).filter((value) => value !== undefined));
  }
  return [...names];
}
