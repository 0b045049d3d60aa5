/**
 * What a sed script runs and writes. Only as much of its grammar as finds the commands: addresses, `s` and `y` with any
 * delimiter, text of `a`, `i`, `c`, labels, braces.
 */
export function readSed(script: string): { runs: boolean; files: string[] } {
  const files: string[] = [];
  let runs = false;
  let at = 0;
  const toEndOfLine = (): string => {
    const end = script.indexOf("\n", at);
    const text = script.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? script.length : end;
    return text.trim();
  };
  while (at < script.length) {
    at = skipAddress(script, at);
    const command = script[at] ?? "";
    at += 1;
    if (command === "s" || command === "y") {
      const delimiter = script[at] ?? "";
      at = skipDelimited(script, skipDelimited(script, at + 1, delimiter), delimiter);
      if (command === "y") continue;
      const flags = /^[gpiImM0-9e]*/.exec(script.slice(at, at + 20))?.[0] ?? "";
      at += flags.length;
      if (flags.includes("e")) runs = true;
      if (script[at] === "w") {
        at += 1;
        files.push(toEndOfLine());
      }
    } else if (command === "e") {
      runs = true;
      toEndOfLine();
    } else if (command === "w" || command === "W") files.push(toEndOfLine());
    else if (/[aicrR:btT#]/.test(command)) toEndOfLine();
  }
  return { runs, files };
}

function skipAddress(script: string, from: number): number {
  let at = from;
  while (at < script.length) {
    const character = script[at] ?? "";
    if (/[\s;{}0-9,$~+!]/.test(character)) at += 1;
    else if (character === "/") at = skipDelimited(script, at + 1, "/");
    else if (character === "\\") at = skipDelimited(script, at + 2, script[at + 1] ?? "");
    else if ((character === "I" || character === "M") && at > from) at += 1;
    else break;
  }
  return at;
}

/** Behind the next delimiter that is neither escaped nor in brackets. */
function skipDelimited(script: string, from: number, delimiter: string): number {
  let inBrackets = false;
  for (let at = from; at < script.length; at += 1) {
    const character = script[at];
    if (character === "\\") at += 1;
    else if (character === "[" && !inBrackets) inBrackets = script.indexOf("]", at + 2) !== -1;
    else if (character === "]") inBrackets = false;
    else if (character === delimiter && !inBrackets) return at + 1;
  }
  return script.length;
}
