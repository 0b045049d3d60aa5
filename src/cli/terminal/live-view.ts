import { type Delta, isDelta } from "../../bus/bus.ts";
import type { Event } from "../../domain/task/event.ts";
import { eventLines, todoOf } from "../text/event-lines.ts";
import type { GrowingDiff } from "../text/growing-diff.ts";
import { type Line, line, type Tone } from "../text/line.ts";
import { printable } from "../text/printable.ts";
import { emptyView, reduceView, type ViewModel } from "../text/view-model.ts";
import { columnsOf, painter, paintLine } from "./paint.ts";
import { renderView } from "./render-view.ts";
import { canRedraw, hasColor, isInteractive, type Terminal } from "./terminal.ts";
import { Typing } from "./typing.ts";

/** Follows a run. `show` is a listener for the bus. */
export interface View extends Disposable {
  readonly model: ViewModel;
  readonly show: (message: Event | Delta) => void;
  /** Takes in what happened before this run, without showing it again. */
  recall(event: Event): void;
  /** What the coder has changed so far. */
  grow(growth: GrowingDiff): void;
  /** A line of our own among those of the run. */
  note(line: string, tone?: Tone): void;
  /** Leaves the terminal to a question. What happens meanwhile is shown when it is answered. */
  aside<T>(question: () => Promise<T>): Promise<T>;
}

export interface ViewOptions {
  mode: "live" | "json" | "quiet";
  maxIterations?: number;
  now?: () => number;
  /** Called with a line that the person types while they watch; without, nobody listens. */
  onTyped?: ((words: string) => void) | undefined;
}

export function openView(terminal: Terminal, options: ViewOptions): View {
  if (options.mode === "json") return new JsonView(terminal, options);
  if (options.mode === "quiet") return new QuietView(options);
  return canRedraw(terminal) ? new LiveView(terminal, options) : new PlainView(terminal, options);
}

class QuietView implements View {
  model: ViewModel;
  /** What went wrong and was told: no failure is told twice. */
  readonly #told = new Set<string>();

  constructor({ now = Date.now }: ViewOptions) {
    // The clock is this run's own, and runs before anything has happened.
    this.model = { ...emptyView, startedAt: now() };
  }

  readonly show = (message: Event | Delta): void => {
    this.model = reduceView(this.model, message);
    this.display(message);
  };

  recall(event: Event): void {
    this.model = { ...reduceView(this.model, event), tool: null };
  }

  grow(growth: GrowingDiff): void {
    this.model = { ...this.model, growth };
  }

  protected display(_message: Event | Delta): void {}
  note(_line: string, _tone?: Tone): void {}

  /** What an event is told by: with its todo where several are worked on, and no failure a second time. */
  protected linesOf(event: Event): Line[] {
    const [first, ...below] = eventLines(this.#once(event));
    if (!first) return [];
    const todo = this.model.todos.all > 1 ? todoOf(event) : undefined;
    const isNamed = todo === undefined || first.text.includes(todo);
    return [isNamed ? first : { ...first, text: `${printable(todo)}: ${first.text}` }, ...below];
  }

  /** A todo fails by what its last iteration failed by, which was just told. */
  #once(event: Event): Event {
    if (event.type === "iteration-settled" && event.iteration.failure) this.#told.add(event.iteration.failure.message);
    if (event.type !== "todo-settled" || !event.failure || !this.#told.has(event.failure.message)) return event;
    const { failure: _, ...bare } = event;
    return bare;
  }

  aside<T>(question: () => Promise<T>): Promise<T> {
    return question();
  }

  [Symbol.dispose](): void {}
}

/** One event per line on stdout, for programs. */
class JsonView extends QuietView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, options: ViewOptions) {
    super(options);
    this.#terminal = terminal;
  }

  protected override display(message: Event | Delta): void {
    if (!isDelta(message)) this.#terminal.output.write(`${JSON.stringify(message)}\n`);
  }
}

/** Where nothing can be drawn over: a pipe, a file, a dumb terminal. */
class PlainView extends QuietView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, options: ViewOptions) {
    super(options);
    this.#terminal = terminal;
  }

  protected override display(message: Event | Delta): void {
    if (message.type === "notice") this.note(`warning: ${printable(message.text)}`);
    if (isDelta(message)) return;
    for (const { text } of this.linesOf(message)) this.note(text);
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

const WRITES: ReadonlySet<string> = new Set(["create_file", "edit_file", "add_dependency"]);

/** What a glance at the live area tells, or the result; what the coder writes into files stays on the screen. */
const isPassing = (event: Event): boolean =>
  event.type === "model-called" ||
  event.type === "change-applied" ||
  (event.type === "tool-called" && !(event.ok && WRITES.has(event.tool)));

/** A phase is a heading, and what happens in it stands under it. */
const structured = (lines: Line[]): Line[] =>
  lines.map(({ text, tone }) => (tone === "head" ? line(text, tone) : line(`  ${text}`, tone)));

/** What happened scrolls by; a few lines at the bottom are drawn over in one write per frame. */
class LiveView extends QuietView {
  readonly #terminal: Terminal;
  readonly #options: ViewOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #typing: Typing | undefined;
  #drawn = 0;
  /** Lines that came while a question was open; undefined while there is none. */
  #held: Line[] | undefined;
  /** The person has just said it at this terminal. */
  #isSaid = false;

  constructor(terminal: Terminal, options: ViewOptions) {
    super(options);
    this.#terminal = terminal;
    this.#options = options;
    this.#timer = setInterval(() => this.#draw([]), REDRAW_MS);
    this.#timer.unref();
    const { onTyped } = options;
    if (onTyped && isInteractive(terminal)) {
      this.#typing = new Typing(terminal.input, { onChange: () => this.#draw([]), onLine: onTyped });
    }
    terminal.error.write(HIDE_CURSOR);
  }

  protected override display(message: Event | Delta): void {
    if (message.type === "notice") this.note(`warning: ${printable(message.text)}`, "warn");
    // Deltas come by the hundred: the timer shows them.
    if (isDelta(message)) return;
    // The question itself follows at once.
    const isAsked = message.type === "approval-requested" && isInteractive(this.#terminal);
    const isKnown = message.type === "approval-answered" && this.#isSaid;
    if (isKnown) this.#isSaid = false;
    this.#draw(isAsked || isKnown || isPassing(message) ? [] : structured(this.linesOf(message)));
  }

  override grow(growth: GrowingDiff): void {
    super.grow(growth);
    this.#draw([]);
  }

  override note(text: string, tone: Tone = text.startsWith("warning:") ? "warn" : "plain"): void {
    this.#draw([line(text, tone)]);
  }

  override async aside<T>(question: () => Promise<T>): Promise<T> {
    this.#held = [];
    this.#typing?.pause();
    this.#terminal.error.write(`${this.#erase()}${SHOW_CURSOR}`);
    try {
      const answer = await question();
      this.#isSaid = true;
      return answer;
    } finally {
      const held = this.#held;
      this.#held = undefined;
      this.#typing?.resume();
      this.#terminal.error.write(HIDE_CURSOR);
      this.#draw(held);
    }
  }

  override [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#typing?.[Symbol.dispose]();
    this.#terminal.error.write(`${this.#erase()}${SHOW_CURSOR}`);
  }

  #draw(above: Line[]): void {
    if (this.#held) {
      this.#held.push(...above);
      return;
    }
    const { error } = this.#terminal;
    const columns = columnsOf(error);
    const { now = Date.now, maxIterations } = this.#options;
    const color = hasColor(this.#terminal, error);
    const rows = error.rows ? { rows: Math.max(1, error.rows - 2) } : {};
    const typed = this.#typing?.text;
    const drawing = { now: now(), columns, color, ...rows, typed, ...(maxIterations && { maxIterations }) };
    const lines = renderView(this.model, drawing);
    const scrolled = above.flatMap((one) => paintLine(one, columns, painter(color)));
    const written = [...scrolled, ...lines].map((text) => `${text}${CLEAR_REST}\n`);
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
