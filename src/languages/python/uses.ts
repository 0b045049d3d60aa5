import { fieldOf, fieldsOf, stringText, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
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
import { pytestTests } from "./pytest-tests.ts";

/** The first part of every module a file imports: what decides whether it is the project's own. */
export const importedPackages = (text: string, root: SyntaxNode): string[] => [
  ...new Set(readImports(text, root).flatMap(({ module }) => /^[^.]+/.exec(module)?.[0] ?? [])),
];

/** Reads a pytest file. `foreign`: packages that the interpreter has and the project does not. */
export function pythonUses(text: string, root: SyntaxNode, foreign: ReadonlySet<string>): TestUses {
  const imports = readImports(text, root).filter(({ module }) => !foreign.has(/^[^.]+/.exec(module)?.[0] ?? ""));
  const own = new Map(imports.flatMap(({ local }) => local.map(({ alias, name }) => [alias, name] as const)));
  const all = [...within(root)];
  const called = new Set<string>();
  const awaited = new Set<string>();
  for (const node of all) {
    if (node.type === "call") called.add(lastName(text, fieldOf(node, "function")));
    const behind = node.type === "await" ? node.children.find((child) => child.type === "call") : undefined;
    if (behind) awaited.add(lastName(text, fieldOf(behind, "function")));
  }
  const errors = new Set(all.flatMap((node) => errorNames(text, node)));
  return {
    imports: imports.map((one) => withModuleAttributes(text, all, one)),
    programs: programsOf(text, all),
    called,
    awaited,
    errors,
    tests: pytestTests(text, root).map((test) => describeTest(text, test, own)),
  };
}

/** What a name of a module is called here: `pytest.raises`, `raises`, `pt.raises`. Empty where it is not imported. */
export const importedAs = (text: string, root: SyntaxNode, module: string, name: string): string[] =>
  readImports(text, root)
    .filter((one) => one.module === module)
    .flatMap(({ whole, local }) =>
      local.flatMap((one) => (whole ? [`${one.alias}.${name}`] : one.name === name ? [one.alias] : [])),
    );

interface Found extends ImportUse {
  local: { alias: string; name: string | null }[];
}

function readImports(text: string, root: SyntaxNode): Found[] {
  const found: Found[] = [];
  for (const node of within(root)) {
    if (node.type === "import_statement") {
      for (const one of fieldsOf(node, "name")) {
        const dotted = one.type === "aliased_import" ? fieldOf(one, "name") : one;
        const alias = one.type === "aliased_import" ? fieldOf(one, "alias") : undefined;
        const module = dotted ? textOf(text, dotted) : "";
        found.push({
          module,
          names: [],
          whole: true,
          local: [{ alias: alias ? textOf(text, alias) : module, name: null }],
        });
      }
    }
    if (node.type === "import_from_statement") {
      const from = fieldOf(node, "module_name");
      const local = fieldsOf(node, "name").map((one) => {
        const name = one.type === "aliased_import" ? fieldOf(one, "name") : one;
        const alias = one.type === "aliased_import" ? fieldOf(one, "alias") : name;
        return { alias: alias ? textOf(text, alias) : "", name: name ? textOf(text, name) : "" };
      });
      const names = local.map(({ name }) => name ?? "");
      found.push({ module: from ? textOf(text, from) : "", names, whole: false, local });
    }
  }
  return found;
}

/** `import calc` and then `calc.add(…)`: the module promises `add`. */
function withModuleAttributes(text: string, all: SyntaxNode[], { module, names, whole, local }: Found): ImportUse {
  if (!whole) return { module, names, whole };
  const alias = local[0]?.alias;
  const used = all.flatMap((node) => {
    const object = node.type === "attribute" ? fieldOf(node, "object") : undefined;
    const attribute = fieldOf(node, "attribute");
    return object && attribute && textOf(text, object) === alias ? [textOf(text, attribute)] : [];
  });
  return { module, names: [...new Set(used)], whole };
}

function lastName(text: string, node: SyntaxNode | undefined): string {
  if (!node) return "";
  const attribute = node.type === "attribute" ? fieldOf(node, "attribute") : node;
  return attribute ? textOf(text, attribute) : "";
}

const isRaises = (text: string, node: SyntaxNode): boolean =>
  node.type === "call" &&
  /(^|\.)(raises|assertRaises|assertRaisesRegex)$/.test(textOf(text, fieldOf(node, "function") ?? node));

/** The arguments of a call by place, without keywords. */
function positional(node: SyntaxNode): SyntaxNode[] {
  const list = fieldOf(node, "arguments");
  return (
    list?.children.filter((child) => child.named && child.type !== "keyword_argument" && child.type !== "comment") ?? []
  );
}

function errorNames(text: string, node: SyntaxNode): string[] {
  const type = isRaises(text, node)
    ? positional(node)[0]
    : node.type === "except_clause"
      ? node.children.find((child) => child.named && child.type !== "block")
      : undefined;
  if (!type) return [];
  return [...within(type)]
    .filter((one) => one.type === "identifier" && one.field !== "object")
    .map((one) => textOf(text, one));
}

const PROGRAM = /^[\w./-]+\.py$/;

/** A path of a program in a file that starts processes. */
function programsOf(text: string, all: SyntaxNode[]): string[] {
  if (!/\bsubprocess\b|\bos\.popen\b|\bpexpect\b/.test(text)) return [];
  const literals = all.flatMap((node) => stringText(text, node) ?? []);
  const modules = literals.flatMap((word, index) =>
    word === "-m" ? [`${(literals[index + 1] ?? "").replaceAll(".", "/")}.py`] : [],
  );
  return [...new Set([...literals, ...modules])].filter(
    (word) => PROGRAM.test(word) && !/(^|\/)(test_[^/]*|[^/]*_test|tests|conftest)\.py$/.test(word),
  );
}

const HTTP_CALLS = new Set(["get", "post", "put", "delete", "patch", "head", "options", "request"]);

function describeTest(text: string, { name, node }: TestNode, own: Map<string, string | null>): TestUse {
  const words: TestUse["words"] = [];
  const literals: string[] = [];
  let skips = false;
  const fromUs = ownVariables(text, node, own.keys());
  for (const part of within(node)) {
    const literal = stringText(text, part);
    if (literal !== null) literals.push(literal);
    if (part.type === "integer" || part.type === "float") literals.push(textOf(text, part));
    if (part.type === "attribute") {
      const root = rootName(text, part);
      const attribute = fieldOf(part, "attribute");
      if (attribute && root !== null && fromUs.has(root))
        words.push({ kind: "attribute", word: textOf(text, attribute) });
    }
    const taken = part.type === "identifier" && part.field !== "attribute" ? own.get(textOf(text, part)) : undefined;
    if (taken) words.push({ kind: "name", word: taken });
    if (part.type === "call") {
      const callee = fieldOf(part, "function");
      const bare = callee ? textOf(text, callee) : "";
      if (/^(pytest\.)?(skip|xfail|importorskip)$/.test(bare)) skips = true;
      const root = callee ? rootName(text, callee) : null;
      if (root !== null && fromUs.has(root))
        words.push(...keywords(text, part).map((word) => ({ kind: "argument" as const, word })));
      if (isRaises(text, part)) words.push(...messagesOf(text, part));
      if (HTTP_CALLS.has(lastName(text, callee))) words.push(...routesIn(literalsOf(text, part)));
      if (startsProgram(bare)) words.push(...listsIn(part).flatMap((list) => flagsIn(commandWords(text, list))));
    }
    if (part.type === "list" && isCommand(text, part)) words.push(...flagsIn(commandWords(text, part)));
  }
  for (const error of [...within(node)].flatMap((part) => errorNames(text, part)))
    words.push({ kind: "error", word: error });
  return { name, from: node.from, to: node.to, words, literals, skips };
}

function keywords(text: string, call: SyntaxNode): string[] {
  const list = fieldOf(call, "arguments");
  return (list?.children ?? []).flatMap((child) => {
    const name = child.type === "keyword_argument" ? fieldOf(child, "name") : undefined;
    return name ? [textOf(text, name)] : [];
  });
}

const literalsOf = (text: string, node: SyntaxNode): string[] =>
  (node.type === "call" ? (fieldOf(node, "arguments")?.children ?? []) : node.children).flatMap(
    (child) => stringText(text, child) ?? [],
  );

/** Lists that a call is given, by place or by name. */
const listsIn = (call: SyntaxNode): SyntaxNode[] =>
  (fieldOf(call, "arguments")?.children ?? [])
    .map((child) => (child.type === "keyword_argument" ? (fieldOf(child, "value") ?? child) : child))
    .filter(({ type }) => type === "list" || type === "tuple");

/** A list that begins with an interpreter or a program is a command line wherever it stands. */
const isCommand = (text: string, list: SyntaxNode): boolean => {
  const [first] = wordsIn(text, list);
  return first !== undefined && (INTERPRETER.test(first) || PROGRAM.test(first));
};

/** The words of a command line from its program on. */
function commandWords(text: string, list: SyntaxNode): string[] {
  const words = wordsIn(text, list);
  return INTERPRETER.test(words[0] ?? "") ? fromProgram(words.slice(1)) : words;
}

const wordsIn = (text: string, { children }: SyntaxNode): string[] =>
  children.flatMap((child) => {
    if (!child.named || child.type === "comment") return [];
    const own = textOf(text, child);
    return [stringText(text, child) ?? (INTERPRETER.test(own) ? own : UNKNOWN_WORD)];
  });

/** `match="…"` is a pattern: what it says in plain words must have been said before. */
function messagesOf(text: string, call: SyntaxNode): TestUse["words"] {
  const list = fieldOf(call, "arguments");
  return (list?.children ?? []).flatMap((child) => {
    const name = child.type === "keyword_argument" ? fieldOf(child, "name") : undefined;
    const value = fieldOf(child, "value");
    const word = value ? stringText(text, value) : null;
    return name && textOf(text, name) === "match" && word ? [{ kind: "message" as const, word }] : [];
  });
}
