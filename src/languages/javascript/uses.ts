import { fieldOf, stringText, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import {
  flagsIn,
  fromProgram,
  INTERPRETER,
  ownVariables,
  rootName,
  routesIn,
  startsProgram,
  UNKNOWN_WORD,
} from "../own-names.ts";
import type { TestNode } from "../test-syntax.ts";
import type { ImportUse, TestUse, TestUses } from "../test-uses.ts";
import { type ModuleImport, readImport } from "./imports.ts";
import { scriptTests } from "./test-calls.ts";

/** Reads a file of node:test, vitest or a runner like them. What is imported by a relative path is the project's own. */
export function javascriptUses(text: string, root: SyntaxNode): TestUses {
  const all = [...within(root)];
  const imports = all.flatMap((node) => readImport(text, node)).filter(({ module }) => /^[./#]/.test(module));
  const own = new Map(imports.flatMap(({ local }) => local.map(({ alias, name }) => [alias, name] as const)));
  const called = new Set<string>();
  const awaited = new Set<string>();
  const errors = new Set<string>();
  for (const node of all) {
    if (node.type === "call_expression" || node.type === "new_expression") called.add(lastName(text, calleeOf(node)));
    const behind =
      node.type === "await_expression" ? node.children.find((child) => child.type === "call_expression") : undefined;
    if (behind) awaited.add(lastName(text, calleeOf(behind)));
    for (const name of errorNames(text, node)) errors.add(name);
  }
  return {
    imports: imports.map((one) => withMembers(text, all, one)),
    programs: programsOf(text, all),
    called,
    awaited,
    errors,
    tests: scriptTests(text, root).map((test) => describeTest(text, test, own)),
  };
}

/** `import * as numbers` and then `numbers.halve`: the module promises `halve`. */
function withMembers(text: string, all: SyntaxNode[], { module, names, whole, local }: ModuleImport): ImportUse {
  const alias = local.find(({ name }) => name === null)?.alias;
  const members = all.flatMap((node) => {
    const object = node.type === "member_expression" ? fieldOf(node, "object") : undefined;
    const property = fieldOf(node, "property");
    return object && property && textOf(text, object) === alias ? [textOf(text, property)] : [];
  });
  return { module, names: [...new Set([...names, ...members])], whole };
}

function lastName(text: string, node: SyntaxNode | undefined): string {
  if (!node) return "";
  const property = node.type === "member_expression" ? fieldOf(node, "property") : node;
  return property ? textOf(text, property) : "";
}

function errorNames(text: string, node: SyntaxNode): string[] {
  if (
    node.type === "call_expression" &&
    /^(throws|rejects|toThrow|toThrowError|toBeInstanceOf)$/.test(lastName(text, calleeOf(node)))
  ) {
    return argumentsOf(node)
      .filter((one) => one.type === "identifier")
      .map((one) => textOf(text, one))
      .filter((name) => /^[A-Z]/.test(name));
  }
  const right =
    node.type === "binary_expression" && fieldOf(node, "operator")?.type === "instanceof"
      ? fieldOf(node, "right")
      : undefined;
  return right ? [textOf(text, right)] : [];
}

const PROGRAM = /^[\w./-]+\.[cm]?[jt]s$/;

function programsOf(text: string, all: SyntaxNode[]): string[] {
  if (!/\bchild_process\b/.test(text)) return [];
  const imported = new Set(all.flatMap((node) => readImport(text, node).map(({ module }) => module)));
  const literals = all.flatMap((node) => stringText(text, node) ?? []).filter((word) => !imported.has(word));
  return [...new Set(literals)].filter((word) => PROGRAM.test(word) && !/\.(test|spec)\.[cm]?[jt]s$/.test(word));
}

function describeTest(text: string, { name, node }: TestNode, own: Map<string, string | null>): TestUse {
  const words: TestUse["words"] = [];
  const literals: string[] = [];
  const fromUs = ownVariables(text, node, own.keys());
  const callee = calleeOf(node);
  let skips = callee !== undefined && /\.(skip|todo)$/.test(textOf(text, callee));
  for (const part of within(node)) {
    const literal = stringText(text, part);
    if (literal !== null && part.from !== argumentsOf(node)[0]?.from) literals.push(literal);
    if (part.type === "number" || part.type === "regex") literals.push(textOf(text, part));
    const taken = part.type === "identifier" ? own.get(textOf(text, part)) : undefined;
    if (taken && taken !== "default") words.push({ kind: "name", word: taken });
    if (part.type === "member_expression") {
      const root = rootName(text, part);
      const property = fieldOf(part, "property");
      if (property && root !== null && fromUs.has(root))
        words.push({ kind: "attribute", word: textOf(text, property) });
    }
    if (part.type === "call_expression") {
      const called = lastName(text, calleeOf(part));
      const [program, list] = argumentsOf(part);
      const given = argumentsOf(part).filter(({ type }) => type === "array");
      const isNode = program && INTERPRETER.test(stringText(text, program) ?? textOf(text, program));
      if (startsProgram(called))
        words.push(...given.flatMap((one) => flagsIn(commandWords(text, one, isNode === true && one === list))));
      if (/^(skip|todo)$/.test(called)) skips = true;
      if (called === "fetch" || /^(get|post|put|delete|patch|inject|request)$/.test(called))
        words.push(...routesIn(plain(text, argumentsOf(part))));
      if (called === "throws" || called === "rejects") words.push(...messagesOf(text, argumentsOf(part)[1]));
    }
    for (const error of errorNames(text, part)) words.push({ kind: "error", word: error });
  }
  return { name, from: node.from, to: node.to, words, literals, skips };
}

const plain = (text: string, nodes: readonly SyntaxNode[]): string[] =>
  nodes.flatMap((node) => stringText(text, node) ?? []);

/** The words of a command line; those before the program are for the interpreter. */
function commandWords(text: string, { children }: SyntaxNode, isNode: boolean): string[] {
  const words = children.flatMap((child) => (child.named ? [stringText(text, child) ?? UNKNOWN_WORD] : []));
  return isNode ? fromProgram(words) : words;
}

/** The second argument of `assert.throws`: a pattern, or an object with a message. */
function messagesOf(text: string, node: SyntaxNode | undefined): TestUse["words"] {
  if (!node) return [];
  if (node.type === "regex") {
    const pattern = fieldOf(node, "pattern");
    return pattern ? [{ kind: "message", word: textOf(text, pattern) }] : [];
  }
  if (node.type !== "object") return [];
  return node.children.flatMap((pair): TestUse["words"] => {
    const key = fieldOf(pair, "key");
    const value = fieldOf(pair, "value");
    const word = value ? stringText(text, value) : null;
    if (!key || word === null) return [];
    const named = textOf(text, key);
    if (named === "message" || named === "code") return [{ kind: "message", word }];
    return named === "name" ? [{ kind: "error", word }] : [];
  });
}
