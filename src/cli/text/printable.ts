/**
 * Text from a model, a test or a repository as it may appear on a terminal: without control characters, so that it can
 * neither move the cursor nor hide what stands beside it. Direction marks go too.
 */
export function printable(text: string): string {
  return text.replace(/[\t\n\r]+/g, " ").replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "");
}

/** As `printable`, but lines stay lines. */
export const printableLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => printable(line.replaceAll("\t", "  ")))
    .join("\n");

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROWLESS = /\p{Mn}|\p{Me}|[\ufe00-\ufe0f]/u;

/** Columns the text takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Cut to so many columns, with an ellipsis where something is missing. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? "" : `${kept}…`;
}

function columnsOf(character: string): number {
  if (character < "\u0300") return 1;
  if (NARROWLESS.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
