/**
 * What is left on a screen of what was written to it: enough of a terminal for the sequences that we write. Who draws over a
 * line begins at its first column and clears its rest.
 */
export function screen(written: string): string[] {
  const lines: string[] = [""];
  let row = 0;
  let isNew = true;
  const pieces = /\u001b\[(?<number>\??[\d;]*)(?<letter>[A-Za-z])|\r|\n|[^\u001b\r\n]+/g;
  for (const { 0: piece, groups } of written.matchAll(pieces)) {
    const letter = groups?.letter;
    if (piece === "\n" || piece === "\r" || letter === "A") {
      if (piece === "\n") row += 1;
      if (letter === "A") row -= Number.parseInt(groups?.number ?? "0", 10);
      isNew = true;
      lines[row] ??= "";
    } else if (letter === "J") {
      lines.splice(row, lines.length, "");
    } else if (letter === undefined || letter === "m") {
      lines[row] = (isNew ? "" : (lines[row] ?? "")) + piece;
      isNew = false;
    }
  }
  return lines.filter((line) => line !== "");
}
