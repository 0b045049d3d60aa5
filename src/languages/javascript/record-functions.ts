import { fieldOf, type Replacement, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/**
 * A function that can be reached from its module: `name` is the path to it, as the units of the file say it
 * (`Counter.add`, `exports.half`, `module.exports`).
 */
export interface NamedFunction {
  name: string;
  node: SyntaxNode;
  /** Lines, counted from 1. */
  from: number;
  /** Only running the module tells whether it is a function. */
  made: boolean;
}

const FUNCTIONS = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "function",
  "generator_function",
  "arrow_function",
  "method_definition",
]);

const isFunction = (node: SyntaxNode): boolean => FUNCTIONS.has(node.type);

/** Functions within functions are left out: nobody can call them from outside. */
export function namedFunctions(root: SyntaxNode, text: string): NamedFunction[] {
  const found: NamedFunction[] = [];
  const visit = (node: SyntaxNode, owner: string): void => {
    const named = (name: string) => (owner === "" ? name : `${owner}.${name}`);
    const name = nameOf(node, text);
    const value = fieldOf(node, "value") ?? fieldOf(node, "right");
    if (isFunction(node)) {
      found.push({ name: named(name ?? "default"), node, from: node.row + 1, made: false });
    } else if (isDefault(node)) visitDefault(node);
    else if (name !== null && value) visitValue(value, named(name));
    else if (name !== null && node.type.endsWith("class_declaration")) visitMembers(node, named(name));
    else if (TRANSPARENT.has(node.type)) for (const child of node.children) visit(child, owner);
    else if (value) visit(value, owner);
  };
  const visitValue = (value: SyntaxNode, name: string): void => {
    const one = { name, node: value, from: value.row + 1, made: false };
    if (isFunction(value)) found.push(one);
    else if (value.type === "class" || value.type === "object") visitMembers(value, name);
    else if (MAKING.has(value.type) && !isRequired(value, text)) found.push({ ...one, made: true });
    else if (value.type === "assignment_expression") visitValue(fieldOf(value, "right") ?? value, name);
    else if (WRAPPING.has(value.type)) for (const child of value.children) visitValue(child, name);
  };
  const visitDefault = (node: SyntaxNode): void => {
    const given = fieldOf(node, "declaration") ?? fieldOf(node, "value");
    if (given?.type.includes("class")) visitMembers(given, nameOf(given, text) ?? "default");
    else if (given) visitValue(given, DEFAULT_EXPORT);
  };
  const visitMembers = (node: SyntaxNode, owner: string): void => {
    const body = fieldOf(node, "body") ?? node;
    for (const child of body.children) visit(child, owner);
  };
  visit(root, "");
  return found;
}

const DEFAULT_EXPORT = "export default";

const isDefault = (node: SyntaxNode): boolean =>
  node.type === "export_statement" && node.children.some(({ type }) => type === "default");

/** What may give a function. */
const MAKING = new Set(["call_expression", "await_expression", "ternary_expression", "binary_expression"]);

/** It is another module's, not made here. */
const isRequired = (node: SyntaxNode, text: string): boolean => {
  const called = fieldOf(node, "function");
  return called !== undefined && called !== null && /^(require|import)$/.test(textOf(text, called));
};

const TRANSPARENT = new Set([
  "program",
  "export_statement",
  "lexical_declaration",
  "variable_declaration",
  "expression_statement",
]);

const WRAPPING = new Set(["parenthesized_expression", "satisfies_expression", "as_expression"]);

/** What a declaration, a member or an assignment is called. */
function nameOf(node: SyntaxNode, text: string): string | null {
  if (node.type === "assignment_expression") {
    const left = fieldOf(node, "left");
    return left ? textOf(text, left) : null;
  }
  const name = fieldOf(node, "name") ?? fieldOf(node, "property") ?? fieldOf(node, "key");
  return name ? textOf(text, name).replace(/^["'](.*)["']$/, "$1") : null;
}

/**
 * Makes a function tell its arguments to `record`, and how it can be called once more, on the lines it has; nothing
 * where that cannot be done.
 */
export function tellingCall(one: NamedFunction, path: string, record: string, text: string): Replacement[] {
  const { node, name, made } = one;
  const called = (self: string, given: string, again: string) =>
    `${record}?.(${JSON.stringify(path)}, ${JSON.stringify(name)}, ${self}, ${given}, ${again})`;
  if (made || node.type === "arrow_function") return tellingValue(node, called);
  const body = fieldOf(node, "body");
  if (body?.type !== "statement_block") return [];
  const isMaker = node.type === "method_definition" && name.endsWith(".constructor");
  // A function that was called through its module has that for `this`, and mostly does not care.
  const isOwned = [...within(body)].some(({ type }) => type === "this" || type === "super");
  const self = isMaker ? "new.target" : isOwned ? "this" : "undefined";
  const again = isMaker ? "($self, $given) => Reflect.construct(new.target, $given)" : againOf(one, text);
  const start = afterDirectives(body, text);
  const end = body.to - 1;
  return [
    { from: start, to: start, text: ` const $told = ${called(self, "arguments", again)}; try {` },
    { from: end, to: end, text: "\n} catch ($met) { $told?.(); throw $met; }" },
  ];
}

/** How the function calls itself: by its own name, as a member of its object, or by the path to it. */
function againOf({ node, name }: NamedFunction, text: string): string {
  const own = fieldOf(node, "name");
  const said = own ? textOf(text, own) : name;
  const isComputed = node.children.some(({ type }) => type === "get" || type === "set");
  if (!/^[#\w$.]+$/.test(said) || isComputed) return "undefined";
  if (node.type === "method_definition") return `($self, $given) => ($self ?? this).${said}(...$given)`;
  return `($self, $given) => Reflect.apply(${said}, $self, $given)`;
}

/** If it turns out to be a function, whoever calls it meets one that tells first. */
function tellingValue(node: SyntaxNode, called: (self: string, given: string, again: string) => string): Replacement[] {
  const again = "($other, $others) => Reflect.apply($own, $other ?? $self, $others)";
  const apply = `apply($own, $self, $given) { const $told = ${called("undefined", "$given", again)}; ${ATTEMPT} }`;
  const isPlain = 'typeof $one === "function" && !/^class/.test(Function.prototype.toString.call($one))';
  return [
    { from: node.from, to: node.from, text: `(($one) => ${isPlain} ? new Proxy($one, { ${apply} }) : $one)(` },
    { from: node.to, to: node.to, text: ")" },
  ];
}

const ATTEMPT = `try { const $made = Reflect.apply($own, $self, $given);
  if (typeof $made?.then === "function") $made.then(undefined, () => $told?.());
  return $made; } catch ($met) { $told?.(); throw $met; }`.replace(/\n\s*/g, " ");

/** Behind `"use strict"`, which must stay the first. */
function afterDirectives(body: SyntaxNode, text: string): number {
  let place = body.from + 1;
  for (const child of body.children) {
    if (!child.named || child.type === "comment") continue;
    const isDirective = child.type === "expression_statement" && child.children[0]?.type === "string";
    if (!isDirective) break;
    place = child.to;
    if (!textOf(text, child).endsWith(";")) return place;
  }
  return place;
}
