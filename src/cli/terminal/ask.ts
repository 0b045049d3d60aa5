import type { Input, Terminal } from "./terminal.ts";

/** One line from the person. The question goes to stderr: stdout is for results. */
export async function ask({ input, error }: Terminal, question: string, signal?: AbortSignal): Promise<string> {
  // The end of the input is told once: whoever asks after it would wait for ever.
  if (input.readableEnded) return "";
  error.write(question);
  return await readLine(input, signal);
}

/** The next line; the end of the input ends it, too. What came behind it is left for the next question. */
function readLine(input: Input, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const stop = (answer: () => void) => {
      input.off("data", take).off("end", end).off("error", fault).pause();
      signal?.removeEventListener("abort", abort);
      answer();
    };
    const end = () => stop(() => resolve(textOf(parts)));
    const fault = (error: Error) => stop(() => reject(error));
    const abort = () => stop(() => reject(signal?.reason));
    const take = (chunk: string | Uint8Array) => {
      const bytes = Buffer.from(chunk);
      const at = bytes.indexOf("\n");
      parts.push(at < 0 ? bytes : bytes.subarray(0, at));
      if (at < 0) return;
      const rest = bytes.subarray(at + 1);
      stop(() => resolve(textOf(parts)));
      if (rest.length > 0) input.unshift(rest);
    };
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", abort);
    input.on("data", take).on("end", end).on("error", fault).resume();
  });
}

const textOf = (parts: Buffer[]): string => Buffer.concat(parts).toString("utf8").replace(/\r$/, "");

/** Everything but a plain yes is a no. */
export async function confirm(terminal: Terminal, question: string, signal?: AbortSignal): Promise<boolean> {
  const answer = await ask(terminal, `${question} [y/N] `, signal);
  return /^y(es)?$/i.test(answer.trim());
}
