/** What a command sees of the process. Everything it reads or writes goes through here. */
export interface Terminal {
  input: Input;
  /** Results, for a person or the next program. */
  output: Output;
  /** Progress, questions and errors. */
  error: Output;
  env: Record<string, string | undefined>;
  directory: string;
  home: string;
}

export interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean;
  /** Everything was read, and nothing more comes. */
  readableEnded?: boolean;
  /** On: keys come one by one, and the terminal does not echo them. */
  setRawMode?(on: boolean): unknown;
}

export interface Output {
  write(text: string | Uint8Array): unknown;
  /** Bytes that nobody has read yet. */
  writableLength?: number;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** A person is there to be asked. */
export const isInteractive = (terminal: Terminal): boolean =>
  terminal.error.isTTY === true && terminal.input.isTTY === true;

/** https://no-color.org */
export const hasColor = ({ env }: Terminal, output: Output): boolean =>
  output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

/** Lines can be drawn over. */
export const canRedraw = ({ env, error }: Terminal): boolean => error.isTTY === true && env.TERM !== "dumb";
