import { elapsed, money, tokens } from "../text/amounts.ts";
import { fit, printable, widthOf } from "../text/printable.ts";
import type { ViewModel } from "../text/view-model.ts";

interface Drawing {
  now: number;
  columns: number;
  color: boolean;
  maxIterations?: number;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const DIM = "\u001b[2m";
const BOLD = "\u001b[1m";
const RED = "\u001b[31m";
const GREEN = "\u001b[32m";
const RESET = "\u001b[0m";

interface Cell {
  text: string;
  style?: string;
}

/** The lines of the live area, none wider than the terminal. */
export function renderView(view: ViewModel, { now, columns, color, maxIterations }: Drawing): string[] {
  const paint = (text: string, style: string | undefined) => (color && style ? `${style}${text}${RESET}` : text);
  const lines = [statusLine(statusCells(view, now, maxIterations), columns, paint)];
  if (view.tool) {
    const { name, subject, ok } = view.tool;
    lines.push(paint(fit(printable(`  ${ok ? "▸" : "✗"} ${name} ${subject}`), columns), ok ? undefined : RED));
  }
  const text = lastLine(view.text);
  if (text !== "") lines.push(paint(fit(`  ${text}`, columns), DIM));
  return lines;
}

/** Most important first: a narrow terminal shows as many as fit. */
function statusCells(view: ViewModel, now: number, maxIterations: number | undefined): Cell[] {
  const since = view.startedAt === null ? 0 : now - view.startedAt;
  const cells: Cell[] = [
    { text: `${SPINNER[Math.floor(now / 100) % SPINNER.length]} ${printable(view.phase)}`, style: BOLD },
  ];
  if (view.iteration > 0)
    cells.push({ text: `iteration ${view.iteration}${maxIterations ? `/${maxIterations}` : ""}` });
  if (view.tests) {
    const { passed, red } = view.tests;
    cells.push({ text: `${passed} passed`, style: red === 0 ? GREEN : undefined });
    if (red > 0) cells.push({ text: `${red} red`, style: RED });
  }
  cells.push({ text: elapsed(since) });
  if (view.calls > 0) {
    const cost = money(view.costMicros);
    cells.push({ text: view.costIsPartial ? (view.costMicros === 0 ? "no price" : `${cost} and more`) : cost });
    cells.push({ text: tokens(view.tokens) });
  }
  if (view.todo !== null) {
    const { done, all } = view.todos;
    cells.push({ text: `todo ${printable(view.todo)}${all > 1 ? ` (${done}/${all})` : ""}` });
  }
  if (view.model !== "") cells.push({ text: printable(view.model), style: DIM });
  return cells;
}

function statusLine(cells: Cell[], columns: number, paint: (text: string, style?: string) => string): string {
  const shown: string[] = [];
  let left = columns;
  for (const { text, style } of cells) {
    const gap = shown.length === 0 ? 0 : 2;
    if (widthOf(text) + gap > left) {
      if (shown.length === 0) shown.push(paint(fit(text, left), style));
      break;
    }
    shown.push(paint(text, style));
    left -= widthOf(text) + gap;
  }
  return shown.join("  ");
}

function lastLine(text: string): string {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return printable(line).trim();
}
