/**
 * The string literals that begin the arguments of a call, in any of the languages that are written inline: `("a", "b")`,
 * `(["a", "b"])`, `"a", "b"`, `'a', ['b']`. Not exact when something is put together there;
 * `open` when more arguments follow.
 */
export function readStrings(source: string, start: number): { strings: string[]; exact: boolean; open: boolean } {
  const strings: string[] = [];
  let at = start;
  let expectsString = true;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (/[\s([]/.test(character)) at += 1;
    else if (character === ",") {
      expectsString = true;
      at += 1;
    } else if (expectsString && /^[rbuRBU]{0,2}["'`]/.test(source.slice(at, at + 3))) {
      const read = readString(source, source.slice(at).search(/["'`]/) + at);
      if (read === undefined) return { strings, exact: false, open: false };
      strings.push(read.text);
      at = read.end;
      expectsString = false;
    } else break;
  }
  const next = source[at];
  // Something behind a whole string: its end, or further arguments that are no strings (options, shell=True).
  const isWhole = expectsString ? strings.length > 0 : next === undefined || /[)\];}\n]/.test(next);
  // An argument that is no string and no option: what it holds is handed to the program too.
  const open = expectsString && strings.length > 1 && !/^(\w+\s*=[^=]|[{)\]])/.test(source.slice(at, at + 40));
  return { strings, exact: isWhole, open };
}

function readString(source: string, from: number): { text: string; end: number } | undefined {
  const quote = source[from] ?? "";
  const triple = source.startsWith(quote.repeat(3), from) && quote !== "`";
  const close = triple ? quote.repeat(3) : quote;
  let text = "";
  for (let at = from + close.length; at < source.length; at += 1) {
    if (source.startsWith(close, at)) return { text, end: at + close.length };
    const character = source[at] ?? "";
    if (character === "\\") {
      at += 1;
      const escaped = source[at] ?? "";
      // Numbers hide letters; what they would spell is not worth reading.
      if (/[xu0-7N]/.test(escaped)) return undefined;
      text += { n: "\n", t: "\t" }[escaped] ?? escaped;
    } else if (quote !== "'" && /^(\$\{|#\{)/.test(source.slice(at, at + 2))) return undefined;
    else text += character;
  }
  return undefined;
}
