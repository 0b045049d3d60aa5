import { type Delta, isDelta } from "../../bus/bus.ts";
import type { Event } from "../../domain/task/event.ts";
import { eventLines } from "../text/event-line.ts";
import { fit, printable } from "../text/printable.ts";
import { emptyView, reduceView, type ViewModel } from "../text/view-model.ts";
import { renderView } from "./render-view.ts";
import { canRedraw, hasColor, type Terminal } from "./terminal.ts";

/** Follows a run. `show` is a listener for the bus. */
export interface View extends Disposable {
  readonly model: ViewModel;
  readonly show: (message: Event | Delta) => void;
  /** Takes in what happened before this run, without showing it again. */
  recall(event: Event): void;
  /** A line of our own among those of the run. */
  note(line: string): void;
  /** Leaves the terminal to a question. What happens meanwhile is shown when it is answered. */
  aside<T>(question: () => Promise<T>): Promise<T>;
}

export interface ViewOptions {
  mode: "live" | "json" | "quiet";
  maxIterations?: number;
  now?: () => number;
}

export function openView(terminal: Terminal, options: ViewOptions): View {
  if (options.mode === "json") return new JsonView(terminal);
  if (options.mode === "quiet") return new QuietView();
  return canRedraw(terminal) ? new LiveView(terminal, options) : new PlainView(terminal);
}

class QuietView implements View {
  model = emptyView;

  readonly show = (message: Event | Delta): void => {
    this.model = reduceView(this.model, message);
    this.display(message);
  };

  recall(event: Event): void {
    // The time that is shown is this run's own.
    this.model = { ...reduceView(this.model, event), startedAt: null };
  }

  protected display(_message: Event | Delta): void {}
  note(_line: string): void {}

  aside<T>(question: () => Promise<T>): Promise<T> {
    return question();
  }

  [Symbol.dispose](): void {}
}

/** One event per line on stdout, for programs. */
class JsonView extends QuietView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    super();
    this.#terminal = terminal;
  }

  protected override display(message: Event | Delta): void {
    if (!isDelta(message)) this.#terminal.output.write(`${JSON.stringify(message)}\n`);
  }
}

/** Where nothing can be drawn over: a pipe, a file, a dumb terminal. */
class PlainView extends QuietView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    super();
    this.#terminal = terminal;
  }

  protected override display(message: Event | Delta): void {
    if (message.type === "notice") this.note(`warning: ${printable(message.text)}`);
    if (isDelta(message)) return;
    for (const line of eventLines(message)) this.note(line);
  }

  override note(line: string): void {
    this.#terminal.error.write(`${line}\n`);
  }
}

const REDRAW_MS = 100;
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_REST = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
/** Terminals that know it show everything in between at once; the others ignore it. */
const BEGIN_FRAME = "\u001b[?2026h";
const END_FRAME = "\u001b[?2026l";

/** What happened scrolls by; a few lines at the bottom are drawn over in one write per frame. */
class LiveView extends QuietView {
  readonly #terminal: Terminal;
  readonly #options: ViewOptions;
  readonly #timer: NodeJS.Timeout;
  #drawn = 0;
  /** Lines that came while a question was open; undefined while there is none. */
  #held: string[] | undefined;

  constructor(terminal: Terminal, options: ViewOptions) {
    super();
    this.#terminal = terminal;
    this.#options = options;
    this.#timer = setInterval(() => this.#draw([]), REDRAW_MS);
    this.#timer.unref();
    terminal.error.write(HIDE_CURSOR);
  }

  protected override display(message: Event | Delta): void {
    if (message.type === "notice") this.note(`warning: ${printable(message.text)}`);
    // Deltas come by the hundred: the timer shows them.
    if (isDelta(message)) return;
    this.#draw(message.type === "tool-called" || message.type === "model-called" ? [] : eventLines(message));
  }

  override note(line: string): void {
    this.#draw([line]);
  }

  override async aside<T>(question: () => Promise<T>): Promise<T> {
    this.#held = [];
    this.#terminal.error.write(`${this.#erase()}${SHOW_CURSOR}`);
    try {
      return await question();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      this.#terminal.error.write(HIDE_CURSOR);
      this.#draw(held);
    }
  }

  override [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#terminal.error.write(`${this.#erase()}${SHOW_CURSOR}`);
  }

  #draw(above: string[]): void {
    if (this.#held) {
      this.#held.push(...above);
      return;
    }
    const { error } = this.#terminal;
    // The last column stays free: some terminals wrap there.
    // A terminal that does not know its width says 0.
    const columns = Math.max(10, error.columns || 80) - 1;
    const { now = Date.now, maxIterations } = this.#options;
    const color = hasColor(this.#terminal, error);
    const lines = renderView(this.model, { now: now(), columns, color, ...(maxIterations && { maxIterations }) });
    const written = [...above.map((line) => fit(line, columns)), ...lines].map((line) => `${line}${CLEAR_REST}\n`);
    // Drawn over and not erased first: a line is never seen empty.
    error.write(`${BEGIN_FRAME}${this.#toTop()}${written.join("")}${CLEAR_BELOW}${END_FRAME}`);
    this.#drawn = lines.length;
  }

  #erase(): string {
    const erase = `${this.#toTop()}${CLEAR_BELOW}`;
    this.#drawn = 0;
    return erase;
  }

  /** Back to the first line of the live area. */
  #toTop(): string {
    return this.#drawn > 0 ? `\r\u001b[${this.#drawn}A` : "\r";
  }
}
