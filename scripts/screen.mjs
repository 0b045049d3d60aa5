// What a terminal shows after a program wrote to it: enough of a terminal for what our command line prints.

/** Lines of pieces with one style each, a style being the numbers of the last `ESC [ … m`. */
export function screenOf(written, columns) {
  const rows = [[]];
  let [row, column, style] = [0, 0, ""];
  const put = (character) => {
    if (column >= columns) [row, column] = [row + 1, 0];
    while (rows.length <= row) rows.push([]);
    while (rows[row].length < column) rows[row].push({ text: " ", style: "" });
    rows[row][column] = { text: character, style };
    column += 1;
  };
  const control = (parameters, letter) => {
    const count = Number.parseInt(parameters, 10) || 1;
    if (letter === "m") style = parameters === "0" ? "" : parameters;
    else if (letter === "A") row = Math.max(0, row - count);
    else if (letter === "G") column = count - 1;
    else if (letter === "K") rows[row]?.splice(column);
    else if (letter === "J") rows.splice(row + 1);
  };
  for (const [whole, parameters, letter] of written.matchAll(/\u001b\[([\d;?]*)([A-Za-z])|[\s\S]/gu)) {
    if (letter !== undefined) control(parameters, letter);
    else if (whole === "\n") row += 1;
    else if (whole === "\r") column = 0;
    else if (whole >= " ") put(whole);
  }
  return rows.map(joined);
}

/** Neighbours of the same style are one piece. */
function joined(cells) {
  const pieces = [];
  for (const { text, style } of cells) {
    const last = pieces.at(-1);
    if (last?.style === style) last.text += text;
    else pieces.push({ text, style });
  }
  return pieces;
}
