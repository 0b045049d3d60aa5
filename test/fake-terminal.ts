import { Readable } from "node:stream";
import type { Input, Terminal } from "../src/cli/terminal/terminal.ts";

export interface FakeTerminal extends Terminal {
  outputs(): string;
  errors(): string;
}

export interface FakeTerminalOptions {
  input?: string;
  inputIsTerminal?: boolean;
  errorIsTerminal?: boolean;
  columns?: number;
  env?: Record<string, string>;
  directory?: string;
  home?: string;
}

/** For tests: a terminal whose input is a text and whose outputs are kept. */
export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const outputs: string[] = [];
  const errors: string[] = [];
  const { input = "", inputIsTerminal = false, errorIsTerminal = false, columns = 80 } = options;
  const stream: Input = Readable.from(input === "" ? [] : [input]);
  stream.isTTY = inputIsTerminal;
  return {
    input: stream,
    output: { write: (text) => outputs.push(textOf(text)), isTTY: false },
    error: { write: (text) => errors.push(textOf(text)), isTTY: errorIsTerminal, columns },
    env: options.env ?? {},
    directory: options.directory ?? "/",
    home: options.home ?? "/nowhere",
    outputs: () => outputs.join(""),
    errors: () => errors.join(""),
  };
}

const textOf = (written: string | Uint8Array): string =>
  typeof written === "string" ? written : Buffer.from(written).toString("utf8");
