/**
 * Of what a runner says about a red test the lines that tell what was expected. pytest marks them with `E`, the others begin
 * with the error and put a stack below. Where the first line only announces the values, they are among the lines.
 */
export function failedAssertion(message: string): string[] {
  const lines = message.split(/\r?\n/).filter((text) => text.trim() !== "");
  const marked = lines.filter((text) => /^E\s+\S/.test(text)).map((text) => text.slice(1));
  const telling = marked.length > 0 ? marked : lines.filter((text) => !STACK.test(text));
  const [first, ...rest] = telling.map((text) => text.trim());
  return first === undefined ? [] : [first, ...valuesOf(first, rest)];
}

const STACK = /^\s+at |^\s*File ".*", line \d+|^Traceback |^\s*\^+\s*$/;

/** Most of what follows the first line is a difference of texts, which only the whole would tell. */
function valuesOf(first: string, rest: readonly string[]): string[] {
  if (/^\+\s+where /.test(rest[0] ?? "")) return rest.slice(0, 1);
  if (/\[ERR_ASSERTION\]/.test(first)) {
    // `500 !== 499`, or the first line that is there beside the first one that was expected.
    const isDifference = rest[0] === "+ actual - expected";
    return isDifference ? firstOf(rest.slice(1), /^\+ /, /^- /) : rest.slice(0, 1);
  }
  return /\bexpect\(.*\)\./.test(first) ? firstOf(rest, /^Expected\b.*:/, /^Received\b.*:/) : [];
}

const firstOf = (lines: readonly string[], ...wanted: RegExp[]): string[] =>
  wanted.flatMap((pattern) => lines.find((line) => pattern.test(line)) ?? []);
