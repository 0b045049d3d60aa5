import { fail } from "../domain/failure.ts";

/** The text with line ends as the model sees them, and the way back to positions in the file. */
interface Unified {
  text: string;
  /** Positions in `text` of line feeds whose carriage return was removed. */
  returns: number[];
}

/**
 * Replaces one exact, unique piece of a text. A model writes `\n`, which also matches `\r\n` in the file. The new text
 * gets the line ends of its surroundings.
 */
export function replaceOnce(path: string, content: string, oldText: string, newText: string): string {
  if (oldText === "") throw refuse(path, "oldText is empty: use create_file to write a whole file");
  const file = unify(content);
  const wanted = unify(oldText).text;
  const replacement = unify(newText).text;
  if (wanted === replacement) throw refuse(path, "oldText and newText are the same");
  const found = occurrences(file.text, wanted);
  if (found.length > 1) {
    const lines = found.slice(0, 10).map((at) => lineAt(file.text, at));
    const count = found.length > MOST_MATCHES ? `more than ${MOST_MATCHES}` : String(found.length);
    throw refuse(
      path,
      `oldText matches ${count} times (lines ${lines.join(", ")}): add lines around it until it is unique`,
    );
  }
  const [at] = found;
  if (at === undefined) throw refuse(path, explainMiss(file.text, wanted, replacement));
  const start = at + returnsBefore(file, at);
  const end = at + wanted.length + returnsBefore(file, at + wanted.length);
  const piece = content.slice(start, end);
  const crlf = piece.includes("\n") ? piece.includes("\r\n") : file.returns.length * 2 > countOf(file.text, "\n");
  return content.slice(0, start) + (crlf ? replacement.replaceAll("\n", "\r\n") : replacement) + content.slice(end);
}

const MOST_MATCHES = 1000;

function unify(content: string): Unified {
  const returns: number[] = [];
  if (!content.includes("\r\n")) return { text: content, returns };
  for (let at = content.indexOf("\r\n"); at >= 0; at = content.indexOf("\r\n", at + 2))
    returns.push(at - returns.length);
  return { text: content.replaceAll("\r\n", "\n"), returns };
}

/** How many carriage returns are in the file before this position of the unified text. */
function returnsBefore({ returns }: Unified, position: number): number {
  let low = 0;
  let high = returns.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((returns[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && found.length <= MOST_MATCHES; at = text.indexOf(wanted, at + 1)) {
    found.push(at);
  }
  return found;
}

/** What a model needs for another try: whether the text is already there, or almost, and where. */
function explainMiss(text: string, wanted: string, replacement: string): string {
  if (replacement.trim() !== "" && text.includes(replacement)) {
    const line = lineAt(text, text.indexOf(replacement));
    return `oldText is not in the file, but newText is already there at line ${line}`;
  }
  const squeezed = (line: string) => line.replaceAll(/\s+/g, "");
  const first = wanted
    .split("\n")
    .map(squeezed)
    .find((line) => line !== "");
  if (first === undefined) return "oldText is not in the file";
  const near = text.split("\n").flatMap((line, index) => (squeezed(line) === first ? [index + 1] : []));
  if (near.length > 0) {
    const lines = near.slice(0, 5).join(", ");
    return `oldText is not in the file; its first line stands at line ${lines}, but spaces or the lines after it differ: read the file there`;
  }
  return "oldText is not in the file: read it again and copy the text exactly";
}

const lineAt = (text: string, position: number): number => countOf(text.slice(0, position), "\n") + 1;

const countOf = (text: string, piece: string): number => text.split(piece).length - 1;

const refuse = (path: string, why: string) => fail("invalid-input", "edit.no-match", `${path} was not edited: ${why}`);
