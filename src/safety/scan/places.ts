const LONGEST_EXCERPT = 160;

/** Lines and columns of a text. */
export class Places {
  readonly #content: string;
  #starts: number[] | undefined;

  constructor({ content }: { content: string }) {
    this.#content = content;
  }

  of(offset: number): { line: number; column: number } {
    this.#starts ??= startsOf(this.#content);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** The text there with what stands behind it on the line, so that two uses of one function can be told apart. */
  excerpt(from: number, to: number): string {
    const end = this.#content.indexOf("\n", to);
    const whole = this.#content.slice(from, Math.min(end < 0 ? this.#content.length : end, from + 4 * LONGEST_EXCERPT));
    const line = whole.replace(/\s+/g, " ").trim();
    return line.length > LONGEST_EXCERPT ? `${line.slice(0, LONGEST_EXCERPT - 1)}…` : line;
  }
}

function startsOf(content: string): number[] {
  const starts = [0];
  for (let at = content.indexOf("\n"); at >= 0; at = content.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
