import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { readImport } from "./imports.ts";

const ASSERT = /^(node:)?assert(\/strict)?$|^(chai|power-assert)$/;

/** What a file calls its assertions. A name is one only where it is imported as such: a helper may be called `rejects`. */
export interface AssertionNames {
  /** The assertion behind a call: `equal` of `assert.equal(…)`, `ok` of `assert(…)`; null where it is none. */
  method(call: SyntaxNode): string | null;
  /** The matcher behind a call: `toBe` of `expect(x).not.toBe(y)`; null where it is none. */
  matcher(call: SyntaxNode): { name: string; negated: boolean } | null;
}

export function assertionNames(text: string, root: SyntaxNode): AssertionNames {
  const all = [...within(root)];
  const imports = all.flatMap((node) => readImport(text, node));
  const local = imports.filter(({ module }) => ASSERT.test(module)).flatMap((one) => one.local);
  const isWhole = ({ name }: { name: string | null }) => name === null || /^(default|strict|assert)$/.test(name);
  const namespaces = new Set(local.filter(isWhole).map(({ alias }) => alias));
  const functions = new Map(local.flatMap((one) => (isWhole(one) ? [] : [[one.alias, one.name ?? ""] as const])));
  const expects = new Set(
    imports
      .filter(({ module }) => !/^[./#]/.test(module))
      .flatMap((one) => one.local.filter(({ name }) => name === "expect").map(({ alias }) => alias)),
  );
  // Some runners bring it along.
  const isBound =
    imports.some((one) => one.local.some(({ alias }) => alias === "expect")) || declares(text, all, "expect");
  if (!isBound) expects.add("expect");
  return {
    method(call) {
      const callee = calleeOf(call);
      const called = callee ? textOf(text, callee).replaceAll("?.", ".") : "";
      if (functions.has(called)) return functions.get(called) ?? null;
      if (namespaces.has(called)) return "ok";
      const [first = "", ...rest] = called.split(".");
      const isContext = /^(t|ctx|context)$/.test(first) && rest[0] === "assert";
      if (!namespaces.has(first) && !isContext) return null;
      if (rest[0] === "strict" || rest[0] === "assert") rest.shift();
      return rest.length === 1 ? (rest[0] ?? null) : null;
    },
    matcher(call) {
      const callee = calleeOf(call);
      const property = callee?.type === "member_expression" ? fieldOf(callee, "property") : undefined;
      const object = callee && fieldOf(callee, "object");
      if (!property || !object) return null;
      const names: string[] = [];
      let at: SyntaxNode | undefined = object;
      while (at?.type === "member_expression") {
        const own = fieldOf(at, "property");
        names.push(own ? textOf(text, own) : "");
        at = fieldOf(at, "object");
      }
      const first = at?.type === "call_expression" ? calleeOf(at) : undefined;
      if (!at || !first || !expects.has(textOf(text, first)) || argumentsOf(at).length === 0) return null;
      return { name: textOf(text, property), negated: names.includes("not") };
    },
  };
}

/** Whether the file itself makes something of this name. */
const declares = (text: string, all: readonly SyntaxNode[], name: string): boolean =>
  all.some((node) => {
    const own = /^(function_declaration|variable_declarator|class_declaration)$/.test(node.type)
      ? fieldOf(node, "name")
      : undefined;
    return own !== undefined && textOf(text, own) === name;
  });
