export type TokenKind = "keyword" | "string" | "comment" | "number" | "call" | "plain";

export interface Token {
  kind: TokenKind;
  text: string;
}

/** How a family of languages is written. Good enough for colours; nothing is decided by it. */
interface Grammar {
  keywords: Set<string>;
  comment: string;
  /** Strings and comments that may go over lines: how they begin, how they end. */
  blocks: [start: string, end: string, kind: "string" | "comment"][];
  quotes: string;
}

const words = (text: string) => new Set(text.split(" "));

const PYTHON: Grammar = {
  keywords: words(
    "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield case self",
  ),
  comment: "#",
  blocks: [
    ['"""', '"""', "string"],
    ["'''", "'''", "string"],
  ],
  quotes: "\"'",
};
const SCRIPT: Grammar = {
  keywords: words(
    "abstract as async await break case catch class const continue default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private public readonly return set static super switch this throw true try type typeof undefined var void while yield",
  ),
  comment: "//",
  blocks: [
    ["/*", "*/", "comment"],
    ["`", "`", "string"],
  ],
  quotes: "\"'",
};
const GO: Grammar = {
  keywords: words(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map nil package range return select struct switch true false type var",
  ),
  comment: "//",
  blocks: [
    ["/*", "*/", "comment"],
    ["`", "`", "string"],
  ],
  quotes: "\"'",
};
const SETTINGS: Grammar = { keywords: words("true false null yes no"), comment: "#", blocks: [], quotes: "\"'" };

const GRAMMARS: Record<string, Grammar> = {
  py: PYTHON,
  pyi: PYTHON,
  js: SCRIPT,
  mjs: SCRIPT,
  cjs: SCRIPT,
  jsx: SCRIPT,
  ts: SCRIPT,
  mts: SCRIPT,
  tsx: SCRIPT,
  css: { ...SCRIPT, keywords: new Set(), comment: "//" },
  go: GO,
  json: { ...SETTINGS, comment: "\0" },
  yaml: SETTINGS,
  yml: SETTINGS,
  toml: SETTINGS,
  sh: {
    ...SETTINGS,
    keywords: words("if then else elif fi for in do done while case esac function return exit local export"),
  },
};

/** Colours the lines of one file in order: what began on one line may end on another. */
export class Highlighter {
  readonly #grammar: Grammar | undefined;
  #open: [end: string, kind: "string" | "comment"] | null = null;

  constructor(path: string) {
    this.#grammar = GRAMMARS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
  }

  /** The texts of all tokens together are the line. */
  line(text: string): Token[] {
    const grammar = this.#grammar;
    // A line that long was written by a machine.
    if (!grammar || text.length > 2000) return [{ kind: "plain", text }];
    const tokens: Token[] = [];
    const push = (kind: TokenKind, piece: string) => {
      const last = tokens.at(-1);
      if (piece === "") return;
      if (last && last.kind === kind) last.text += piece;
      else tokens.push({ kind, text: piece });
    };
    for (let at = 0; at < text.length; ) {
      if (this.#open) {
        const [end, kind] = this.#open;
        const found = text.indexOf(end, at);
        const stop = found === -1 ? text.length : found + end.length;
        push(kind, text.slice(at, stop));
        if (found !== -1) this.#open = null;
        at = stop;
        continue;
      }
      const block = grammar.blocks.find(([start]) => text.startsWith(start, at));
      if (block) {
        const [start, end, kind] = block;
        push(kind, start);
        this.#open = [end, kind];
        at += start.length;
        continue;
      }
      if (text.startsWith(grammar.comment, at)) {
        push("comment", text.slice(at));
        break;
      }
      const [kind, piece] = this.#piece(grammar, text, at);
      push(kind, piece);
      at += piece.length;
    }
    return tokens;
  }

  #piece(grammar: Grammar, text: string, at: number): [TokenKind, string] {
    const first = text[at] ?? "";
    if (grammar.quotes.includes(first)) {
      const string = match(first === '"' ? /"(?:\\.|[^"\\])*"?/y : /'(?:\\.|[^'\\])*'?/y, text, at);
      return ["string", string];
    }
    const number = match(/\d[\w.]*/y, text, at);
    if (number !== "") return ["number", number];
    const name = match(/[\p{L}_$][\p{L}\p{N}_$]*/uy, text, at);
    if (name === "") return ["plain", first];
    if (grammar.keywords.has(name)) return ["keyword", name];
    return [text[at + name.length] === "(" ? "call" : "plain", name];
  }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
