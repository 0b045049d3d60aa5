import { StringDecoder } from "node:string_decoder";
import { printableLines } from "../text/printable.ts";
import type { Output, Terminal } from "./terminal.ts";

/** What may wait for a slow reader before the rest is left out. */
const PENDING_BYTES = 16 * 1024 * 1024;

interface PassedOutput {
  pass(stream: "stdout" | "stderr", chunk: Buffer): void;
  /** Says what was left out. */
  end(): void;
}

/**
 * Hands the output of an untrusted command on as it comes. Into a pipe or a file go its very bytes; on a terminal it is
 * text without control characters, which could move the cursor or answer for the person.
 */
export function passOutput({ output, error }: Terminal): PassedOutput {
  const streams = { stdout: new Passed(output), stderr: new Passed(error) };
  return {
    pass: (stream, chunk) => streams[stream].pass(chunk),
    end: () => {
      const missing = streams.stdout.finish() + streams.stderr.finish();
      if (missing > 0) error.write(`miracle: ${missing} bytes of output are left out, because nobody read them\n`);
    },
  };
}

class Passed {
  readonly #output: Output;
  readonly #decoder = new StringDecoder("utf8");
  #missing = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  pass(chunk: Buffer): void {
    if ((this.#output.writableLength ?? 0) > PENDING_BYTES) this.#missing += chunk.length;
    else this.#output.write(this.#output.isTTY ? printableLines(this.#decoder.write(chunk)) : chunk);
  }

  finish(): number {
    if (this.#output.isTTY) this.#output.write(printableLines(this.#decoder.end()));
    return this.#missing;
  }
}
