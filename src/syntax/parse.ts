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
      return { root: toPlain(tree), broken: tree.rootNode.hasError };
    } finally {
      tree.delete();
    }
  }

  async #open(grammar: Grammar): Promise<Parser> {
    const load = createRequire(import.meta.filename);
    this.#ready ??= (async () => {
      const loaded: typeof import("@vscode/tree-sitter-wasm") = load("@vscode/tree-sitter-wasm");
      await loaded.Parser.init();
      return loaded;
    })();
    const { Language, Parser } = await this.#ready;
    const directory = dirname(load.resolve("@vscode/tree-sitter-wasm"));
    const language: Language = await Language.load(join(directory, `tree-sitter-${grammar}.wasm`));
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

type Open = SyntaxNode & { readonly children: SyntaxNode[] };

/** One walk without recursion: a file nested a thousand deep is data like any other. */
function toPlain(tree: Tree): SyntaxNode {
  const cursor = tree.walk();
  const read = (): Open => ({
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    field: cursor.currentFieldName,
    from: cursor.startIndex,
    to: cursor.endIndex,
    row: cursor.startPosition.row,
    children: [],
  });
  const root = read();
  const above: Open[] = [];
  let node = root;
  try {
    for (;;) {
      if (cursor.gotoFirstChild()) {
        above.push(node);
      } else {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return root;
          above.pop();
        }
      }
      node = read();
      above.at(-1)?.children.push(node);
    }
  } finally {
    cursor.delete();
  }
}
