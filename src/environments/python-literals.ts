/** A value that is written out in Python's source: a text, a list or tuple, a dictionary. Anything else is `undefined`. */
export type Literal = string | Literal[] | { [key: string]: Literal } | undefined;

/**
 * What a name is bound to in a source, as an argument of a call or as a variable, where it is written out. Nothing is
 * run: a value that something computes is not known.
 */
export function literalOf(source: string, name: string, follows = 3): Literal {
  const found = new RegExp(`(?:^|[\\s,(])${name}\\s*=(?!=)`, "m").exec(source);
  if (!found) return undefined;
  const rest = source.slice(found.index + found[0].length);
  const reader = new Reader(rest);
  const value = reader.value();
  if (value !== undefined) return reader.isAtEnd(value) ? value : undefined;
  const other = /^\s*([A-Za-z_]\w*)\s*[,)\n]/.exec(rest)?.[1];
  return other === undefined || follows === 0 ? undefined : literalOf(source, other, follows - 1);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth = 0): Literal {
    this.#skip();
    const first = this.#text[this.#at] ?? "";
    if (depth > DEEPEST) return undefined;
    if (first === "[") return this.#list("]", depth + 1);
    if (first === "(") return this.#list(")", depth + 1);
    if (first === "{") return this.#table(depth + 1);
    return this.#string();
  }

  /** Nothing is added to it: `[…] + more` is computed. */
  isAtEnd(value: Literal): boolean {
    return typeof value === "string" || /^[ \t]*(?:#.*)?(?:[,)\r\n]|$)/.test(this.#text.slice(this.#at));
  }

  #skip(): void {
    this.#at += /^(?:\s|#[^\n]*)*/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
  }

  #take(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** Texts beside each other are one. */
  #string(): string | undefined {
    let whole: string | undefined;
    for (;;) {
      this.#skip();
      const found = /^[ru]?("""([\s\S]*?)"""|'''([\s\S]*?)'''|"([^"\\\n]*)"|'([^'\\\n]*)')/i.exec(
        this.#text.slice(this.#at, this.#at + LONGEST),
      );
      if (!found) return whole;
      this.#at += found[0].length;
      whole = (whole ?? "") + (found[2] ?? found[3] ?? found[4] ?? found[5] ?? "");
    }
  }

  #list(end: string, depth: number): Literal[] | undefined {
    this.#at += 1;
    const items: Literal[] = [];
    while (!this.#take(end)) {
      const item = this.value(depth);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#take(",") && this.#text[this.#at] !== end) return undefined;
    }
    return items;
  }

  #table(depth: number): { [key: string]: Literal } | undefined {
    this.#at += 1;
    const table: { [key: string]: Literal } = {};
    while (!this.#take("}")) {
      const key = this.#string();
      if (key === undefined || !this.#take(":")) return undefined;
      const value = this.value(depth);
      if (value === undefined) return undefined;
      table[key] = value;
      if (!this.#take(",") && this.#text[this.#at] !== "}") return undefined;
    }
    return table;
  }
}

const LONGEST = 10_000;
const DEEPEST = 10;
