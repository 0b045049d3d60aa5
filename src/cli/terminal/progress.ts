import { elapsed } from "../text/amounts.ts";
import { fit, printable } from "../text/printable.ts";
import { columnsOf, painter, say } from "./paint.ts";
import { canRedraw, hasColor, type Terminal } from "./terminal.ts";

const REDRAW_MS = 1000;

/** What is under way. On a terminal one line with a clock, which goes when the result comes; elsewhere a line for each. */
export class Progress implements Disposable {
  readonly #terminal: Terminal;
  readonly #startedAt = Date.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #said = "";

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (canRedraw(terminal)) this.#timer = setInterval(() => this.#draw(), REDRAW_MS).unref();
  }

  readonly say = (text: string): void => {
    if (text === this.#said) return;
    this.#said = text;
    if (this.#timer) this.#draw();
    else this.keep(text);
  };

  /** Stays on the screen. */
  readonly keep = (text: string): void => {
    this.#terminal.error.write(this.#erased());
    say(this.#terminal, printable(text));
  };

  #draw(): void {
    const { error } = this.#terminal;
    const clock = elapsed(Date.now() - this.#startedAt);
    const text = fit(`${clock}  ${printable(this.#said)}`, columnsOf(error));
    error.write(`${this.#erased()}${painter(hasColor(this.#terminal, error))(text, "dim")}`);
  }

  #erased(): string {
    return this.#timer ? "\r\u001b[K" : "";
  }

  [Symbol.dispose](): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#terminal.error.write(this.#erased());
  }
}
