import { Writable } from "node:stream";
import type { Terminal } from "./terminal.ts";

/** One line from the person. The question goes to stderr: stdout is for results. */
export async function ask({ input, error }: Terminal, question: string, signal?: AbortSignal): Promise<string> {
  // The end of the input is told once: whoever asks after it would wait for ever.
  if (input.readableEnded) return "";
  const { createInterface } = await import("node:readline/promises");
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      error.write(String(chunk));
      done();
    },
  });
  const lines = createInterface({ input, output, terminal: false });
  try {
    error.write(question);
    // The end of the input is an answer too: nothing.
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    return await Promise.race([lines.question("", signal ? { signal } : {}), ended]);
  } finally {
    lines.close();
  }
}

/** Everything but a plain yes is a no. */
export async function confirm(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  const answer = await ask(terminal, `${question} [y/N] `, signal);
  return /^y(es)?$/i.test(answer.trim());
}
