/** What can make the rest of a test say less, or belongs to something else than an assertion. */
const OTHERWISE =
  /^(=|:=|[-+*/%&|^]=|return|raise|throw|skip\w*|xfail|if|for|while|try|with|def|function|lambda|=>|del|delete|import|require|\w*(patch|setattr|delattr|mock)\w*|await|yield|break|continue)$/i;

const ASSERTS = /^(assert|expect)$/;

/**
 * Whether a test says all that it said, in the same order, and between that only more assertions: then it notices all that
 * it noticed. Both texts are words with spaces between them.
 */
export function asksMore(was: string, is: string): boolean {
  const [old, now] = [assertionsOf(was), assertionsOf(is)];
  let place = 0;
  for (const one of now) {
    if (one === old[place]) place += 1;
    // What stands before the first assertion is no assertion.
    else if (place === 0 || one.split(" ").some((word) => OTHERWISE.test(word))) return false;
  }
  return place === old.length && now.length > old.length;
}

/** The text up to the first assertion, and from each assertion up to the next. */
function assertionsOf(text: string): string[] {
  const words = text.split(" ");
  const begins = (at: number) =>
    ASSERTS.test(words[at] ?? "") || (words[at] === "self" && /^assert/.test(words[at + 2] ?? ""));
  const starts = words.flatMap((_, at) => (at === 0 || begins(at) ? [at] : []));
  return starts.map((at, index) => words.slice(at, starts[index + 1]).join(" "));
}
