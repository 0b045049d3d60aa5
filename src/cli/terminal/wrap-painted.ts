import { widthOf } from "../text/printable.ts";

interface Cell {
  text: string;
  /** The numbers of its styles, as `paint.ts` wrote them. */
  style: string;
}

const TAB = 8;
const START = "\u001b[";

/** Breaks a line of code that has its colours already between words. Further lines stand deeper than the first. */
export function wrapPainted(painted: string, columns: number): string[] {
  const cells = cellsOf(painted);
  if (widthOfCells(cells) <= columns) return [painted];
  const indent = indentOf(cells, columns);
  const lines: Cell[][] = [];
  let rest = cells;
  while (widthOfCells(rest) > columns) {
    const at = breakOf(rest, columns, lines.length === 0 ? 1 : indent.length);
    lines.push(rest.slice(0, at));
    // The space of the break is not needed at the beginning of a line.
    rest = [...indent, ...rest.slice(rest[at]?.text === " " ? at + 1 : at)];
  }
  return [...lines, rest].map(textOf);
}

function cellsOf(painted: string): Cell[] {
  const [head = "", ...parts] = painted.split(START);
  const cells = [...head].map((text): Cell => ({ text, style: "" }));
  for (const part of parts) {
    const end = part.indexOf("m");
    const style = part.slice(0, end) === "0" ? "" : part.slice(0, end);
    cells.push(...[...part.slice(end + 1)].map((text): Cell => ({ text, style })));
  }
  return cells;
}

/** At most this wide: where a tab ends depends on where it begins. */
const widthOfCell = ({ text }: Cell): number => (text === "\t" ? TAB : widthOf(text));
const widthOfCells = (cells: Cell[]): number => cells.reduce((sum, cell) => sum + widthOfCell(cell), 0);

/** The sign of the diff is not repeated. Where hardly anything would fit beside the indent, there is none. */
function indentOf(cells: Cell[], columns: number): Cell[] {
  const first = cells.findIndex(({ text }, at) => at > 0 && text !== " " && text !== "\t");
  const blank = (text: string): Cell => ({ text, style: "" });
  const indent = [
    blank(" "),
    ...cells.slice(1, Math.max(1, first)).map(({ text }) => blank(text)),
    blank(" "),
    blank(" "),
  ];
  return widthOfCells(indent) > columns / 2 ? [blank(" ")] : indent;
}

/** The last space that leaves what is before it on the line; of a word that is wider than a line, its last letter. */
function breakOf(cells: Cell[], columns: number, from: number): number {
  let width = 0;
  let space = 0;
  let seen = false;
  for (const [at, cell] of cells.entries()) {
    if (cell.text === " " && seen) space = at;
    if (at >= from && cell.text !== " " && cell.text !== "\t") seen = true;
    width += widthOfCell(cell);
    if (width > columns) return space > 0 ? space : Math.max(at, from + 1);
  }
  return cells.length;
}

function textOf(cells: Cell[]): string {
  let said = "";
  for (const [at, { text, style }] of cells.entries()) {
    const before = cells[at - 1]?.style ?? "";
    if (before !== style && before !== "") said += `${START}0m`;
    if (before !== style && style !== "") said += `${START}${style}m`;
    said += text;
  }
  return cells.at(-1)?.style ? `${said}${START}0m` : said;
}
