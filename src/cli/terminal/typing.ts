import { readFileSync } from "node:fs";
import type { Input } from "./terminal.ts";

/** A letter as a person counts them: with its accents. */
const LETTERS = new Intl.Segmenter();
/** Arrows and the like: nothing moves in a line that is only added to. */
const KEYS = /\u001b(\[[\d;?]*[ -/]*[@-~]|O.|.)?/gsu;
/** A line end with something behind it stands in a pasted text, which is one message. */
const INNER_ENDS = /[\r\n]+(?=[^\r\n])/g;
const ENTER = /[\r\n]/;
const INTERRUPT = "\u0003";
const SUSPEND = "\u001a";
const BACKSPACE = /[\u007f\b]/;
/** Who started us waits beside us: a terminal signals the whole group. */
const OUR_GROUP = 0;
const DELETE_LINE = "\u0015";
const DELETE_WORD = "\u0017";

export interface TypingOptions {
  onChange: () => void;
  onLine: (words: string) => void;
}

/**
 * What a person types while work is shown. The terminal does not echo it over the lines that are drawn: whoever draws shows
 * `text`. Between `pause` and `resume` the terminal is as it was.
 */
export class Typing implements Disposable {
  readonly #input: Input;
  readonly #options: TypingOptions;
  readonly #decoder = new TextDecoder();
  #text = "";
  #isOn = false;

  constructor(input: Input, options: TypingOptions) {
    this.#input = input;
    this.#options = options;
    this.resume();
  }

  /** What stands in the line; nothing where nobody listens. */
  get text(): string | undefined {
    return this.#isOn ? this.#text : undefined;
  }

  resume(): void {
    // Who is in the background may not change the terminal, and would be stopped for it.
    if (this.#isOn || this.#input.readableEnded || !isInForeground()) return;
    this.#isOn = true;
    this.#input.setRawMode?.(true);
    this.#input.on("data", this.#take).resume();
  }

  pause(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#input.off("data", this.#take).pause();
    this.#input.setRawMode?.(false);
  }

  [Symbol.dispose](): void {
    this.pause();
  }

  readonly #take = (chunk: string | Uint8Array): void => {
    const typed = typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    for (const letter of typed.replace(KEYS, "").replace(INNER_ENDS, " ")) this.#press(letter);
    this.#options.onChange();
  };

  #press(letter: string): void {
    if (letter === INTERRUPT) process.kill(OUR_GROUP, "SIGINT");
    else if (letter === SUSPEND) this.#suspend();
    else if (ENTER.test(letter)) this.#end();
    else if (BACKSPACE.test(letter)) this.#text = lettersOf(this.#text).slice(0, -1).join("");
    else if (letter === DELETE_LINE) this.#text = "";
    else if (letter === DELETE_WORD) this.#text = this.#text.replace(/\S*\s*$/u, "");
    else if (!/\p{Cc}/u.test(letter)) this.#text += letter;
  }

  #end(): void {
    const words = this.#text.trim();
    this.#text = "";
    if (words !== "") this.#options.onLine(words);
  }

  #suspend(): void {
    this.pause();
    process.once("SIGCONT", () => this.resume());
    process.kill(OUR_GROUP, "SIGTSTP");
  }
}

const lettersOf = (text: string): string[] => [...LETTERS.segment(text)].map(({ segment }) => segment);

/** Whether the terminal listens to our group of processes; where nobody can tell, it does. */
function isInForeground(): boolean {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [, , group, , , foreground] = fields;
    return foreground === "-1" || group === foreground;
  } catch {
    return true;
  }
}
