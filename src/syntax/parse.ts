import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language, Parser, Tree } from "@vscode/tree-sitter-wasm";

/** Grammars that can be read. TypeScript with JSX is a grammar of its own. */
export type Grammar = "python" | "javascript" | "typescript" | "tsx" | "go";

/** A node of a syntax tree, in plain data: it outlives the parser, and reading it costs nothing. */
export interface SyntaxNode {
  readonly type: string;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** The role it plays in its parent: `function`, `arguments`, `left`. */
  readonly field: string | null;
  /** Offsets into the text, in UTF-16 units, as `slice` takes them. */
  readonly from: number;
  readonly to: number;
  /** Counted from 0. */
  readonly row: number;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Parts of the text that the grammar could not make sense of. */
  readonly broken: boolean;
}

/** Parses what may be broken or hostile text; never throws on it. */
export class SyntaxParsers {
  readonly #parsers = new Map<Grammar, Promise<Parser>>();
  #ready: Promise<typeof import("@vscode/tree-sitter-wasm")> | undefined;

  async parse(grammar: Grammar, text: string): Promise<SyntaxTree> {
    let parser = this.#parsers.get(grammar);
    if (!parser) {
      parser = this.#open(grammar);
      this.#parsers.set(grammar, parser);
    }
    const tree = (await parser).parse(text);
    if (!tree) throw new Error(`the ${grammar} parser gave no tree`);
    try {
      return { root: toPlain(tree, text), broken: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  }

  async #open(grammar: Grammar): Promise<Parser> {
    const load = createRequire(import.meta.filename);
    // The build copies this file and our grammars beside it, and names the copy here.
    const library = load.resolve("@vscode/tree-sitter-wasm");
    this.#ready ??= (async () => {
      const loaded: typeof import("@vscode/tree-sitter-wasm") = load(library);
      await loaded.Parser.init();
      return loaded;
    })();
    const { Language, Parser } = await this.#ready;
    const language: Language = await Language.load(join(dirname(library), `tree-sitter-${grammar}.wasm`));
    const parser = new Parser();
    parser.setLanguage(language);
    return parser;
  }
}

/** A name in a file tells which grammar it is written in. */
export function grammarOf(path: string): Grammar | null {
  const extension = /\.([a-z]+)$/.exec(path.toLowerCase())?.[1] ?? "";
  return GRAMMARS[extension] ?? null;
}

const GRAMMARS: Record<string, Grammar> = {
  py: "python",
  pyi: "python",
  pyw: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  go: "go",
};

type Open = Omit<SyntaxNode, "children"> & { children: SyntaxNode[] };

/** Of most nodes, which have no children. */
const NONE: SyntaxNode[] = [];

/** No grammar gives these a role in what they stand in. */
const PUNCTUATION = new Set(["(", ")", "[", "]", "{", "}", '"', "'", "`"]);

/** Named nodes that never have children. */
const LEAVES = new Set([
  "identifier",
  "property_identifier",
  "private_property_identifier",
  "shorthand_property_identifier",
  "shorthand_property_identifier_pattern",
  "field_identifier",
  "type_identifier",
  "package_identifier",
  "comment",
  "integer",
  "number",
  "int_literal",
  "this",
  "true",
  "false",
  "null",
  "undefined",
  "none",
  "string_start",
  "string_end",
  "string_fragment",
  "escape_sequence",
]);

/**
 * One walk without recursion: a file nested a thousand deep is data like any other. Each question to the cursor crosses
 * into WASM, and there are seven times as many of them as nodes: what can be told from the type or the text is not asked.
 */
function toPlain(tree: Tree, text: string): SyntaxNode {
  const { language } = tree;
  const cursor = tree.walk();
  const rowOf = rowCounter(text);
  const namedTypes: boolean[] = [];
  const read = (): Open => {
    const id = cursor.nodeTypeId;
    // What is no type of the language is an error; those are named.
    const type = language.types[id] || "ERROR";
    const from = cursor.startIndex;
    if (language.types[id]) namedTypes[id] ??= language.nodeTypeIsNamed(id);
    const named = namedTypes[id] ?? true;
    return {
      type,
      named,
      field: PUNCTUATION.has(type) ? null : (language.fields[cursor.currentFieldId] ?? null),
      from,
      // A word of the grammar stands in the text as it is called.
      to: !named && text.startsWith(type, from) ? from + type.length : cursor.endIndex,
      row: rowOf(from),
      children: NONE,
    };
  };
  const root = read();
  const above: Open[] = [];
  let node = root;
  let parent: Open | undefined;
  try {
    for (;;) {
      if (mayHaveChildren(node) && cursor.gotoFirstChild()) {
        node.children = [];
        above.push(node);
        parent = node;
      } else {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return root;
          above.pop();
          parent = above.at(-1);
        }
      }
      node = read();
      parent?.children.push(node);
    }
  } finally {
    cursor.delete();
  }
}

/** Of the words of a grammar only those with a space in them are made of others: `not in`. */
const mayHaveChildren = ({ named, type }: Open): boolean => (named ? !LEAVES.has(type) : type.includes(" "));

/** The line of an offset, for offsets that grow: nodes come in the order of the text. */
function rowCounter(text: string): (offset: number) => number {
  let row = 0;
  let end = text.indexOf("\n");
  return (offset) => {
    while (end >= 0 && end < offset) {
      row += 1;
      end = text.indexOf("\n", end + 1);
    }
    return row;
  };
}
