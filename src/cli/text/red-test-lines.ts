import { type Line, line } from "./line.ts";
import { printable } from "./printable.ts";

export interface RedTest {
  id: string;
  message: string;
}

const NAMED_TESTS = 3;

/** The first red tests, each with the assertion that failed: its name alone says nothing to a person. */
export function redTestLines(red: RedTest[]): Line[] {
  const named = red
    .slice(0, NAMED_TESTS)
    .flatMap(({ id, message }) => [
      line(`  ✗ ${printable(id)}`),
      ...failedAssertion(message).map((text) => line(`      ${printable(text)}`, "bad")),
    ]);
  const more = red.length - NAMED_TESTS;
  return more > 0 ? [...named, line(`  and ${more} more`, "dim")] : named;
}

/**
 * Of what a runner says about a red test the lines that tell what was expected. pytest marks them with `E`, the others begin
 * with the error and put a stack below.
 */
function failedAssertion(message: string): string[] {
  const lines = message.split(/\r?\n/).filter((text) => text.trim() !== "");
  const marked = lines.filter((text) => /^E\s+\S/.test(text)).map((text) => text.slice(1));
  const stack = /^\s+at |^\s*File ".*", line \d+|^Traceback |^\s*\^+\s*$/;
  const telling = marked.length > 0 ? marked : lines.filter((text) => !stack.test(text));
  // The first says what was expected. Most of what follows is a difference of texts, which only the whole would tell.
  const where = telling[1] !== undefined && /^\s*\+\s+where /.test(telling[1]) ? 2 : 1;
  return telling.slice(0, where).map((text) => text.trim());
}
