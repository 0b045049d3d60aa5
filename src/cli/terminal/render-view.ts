import { elapsed, money, tokens } from "../text/amounts.ts";
import { growthLines } from "../text/growing-diff.ts";
import { line } from "../text/line.ts";
import { todoLine } from "../text/plan-lines.ts";
import { fit, printable, printableLines, widthOf } from "../text/printable.ts";
import type { ViewModel } from "../text/view-model.ts";
import { wrap } from "../text/wrap.ts";
import { type Paint, painter, paintLine, type Style } from "./paint.ts";

interface Drawing {
  now: number;
  columns: number;
  /** How many lines there may be; by default as many as are wanted. */
  rows?: number;
  color: boolean;
  maxIterations?: number;
  /** What the person has typed so far; absent: nobody listens. */
  typed?: string | undefined;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** A list of todos that is longer is cut where nothing is under way. */
const SHOWN_TODOS = 8;
/** The end of what a model writes, folded to so many lines. */
const SHOWN_TEXT = 3;
/** A server that says nothing for so long is said to be silent. */
const SILENT_MS = 10_000;

interface Cell {
  text: string;
  style?: Style | undefined;
}

/** The lines of the live area, none wider than the terminal. */
export function renderView(view: ViewModel, drawing: Drawing): string[] {
  const { now, columns, color, rows: all = Number.POSITIVE_INFINITY, maxIterations } = drawing;
  const paint = painter(color);
  const lines = [statusLine(statusCells(view, now, maxIterations), columns, paint)];
  const under = [...silenceLine(view, now), ...progressLine(view, now)];
  lines.push(...under.map((text) => paint(fit(text, columns), "yellow")));
  // A tool that has ended is not what is waited for.
  if (view.awaited && view.text === "") {
    if (under.length === 0) lines.push(paint(fit(`  waits for ${printable(view.awaited.model)}`, columns), "dim"));
  } else if (view.tool) {
    const { name, subject, ok } = view.tool;
    lines.push(paint(fit(printable(`  ${ok ? "▸" : "✗"} ${name} ${subject}`), columns), ...failing(!ok)));
  }
  if (view.phase === "coding" && view.growth) {
    lines.push(...growthLines(view.growth, view.todos.all > 1).map((text) => paint(fit(text, columns), "dim")));
  }
  const said = lastLines(view.text, columns).map((text) => paint(text, "dim"));
  const todos = todoLines(view, columns, paint);
  const typed = drawing.typed === undefined || all < 2 ? [] : [typedLine(drawing.typed, columns, paint)];
  const rows = all - typed.length;
  const room = Math.max(0, rows - lines.length - todos.length);
  const shown = [...todos, ...lines, ...(room === 0 ? [] : said.slice(-room))].slice(-Math.max(1, rows));
  return [...shown, ...typed];
}

const HINT = "say something to the work, or press Ctrl-C to stop it";

/** The end of what is typed is what a person looks at. */
function typedLine(typed: string, columns: number, paint: Paint): string {
  if (typed === "") return paint(fit(`> ${HINT}`, columns), "dim");
  const letters = [...printable(typed)];
  while (widthOf(letters.join("")) > columns - 4) letters.shift();
  return `> ${letters.join("")}▏`;
}

const failing = (isBad: boolean): Style[] => (isBad ? ["red"] : []);

/** Most important first: a narrow terminal shows as many as fit. */
function statusCells(view: ViewModel, now: number, maxIterations: number | undefined): Cell[] {
  const since = view.startedAt === null ? 0 : now - view.startedAt;
  const cells: Cell[] = [
    { text: `${SPINNER[Math.floor(now / 100) % SPINNER.length]} ${printable(view.phase)}`, style: "bold" },
  ];
  if (view.iteration > 0) {
    const end = maxIterations && view.iteration <= maxIterations ? `/${maxIterations}` : "";
    cells.push({ text: `${view.isMending ? "mending, " : ""}iteration ${view.iteration}${end}` });
  }
  if (view.tests) {
    const { passed, red } = view.tests;
    cells.push({ text: `${passed} passed`, style: red === 0 ? "green" : undefined });
    if (red > 0) cells.push({ text: `${red} red`, style: "red" });
  }
  cells.push({ text: elapsed(since) });
  if (view.calls > 0) {
    const cost = money(view.costMicros);
    if (view.costMicros > 0) cells.push({ text: view.costIsPartial ? `${cost} and more` : cost });
    cells.push({ text: tokens(view.tokens) });
  }
  if (view.todo !== null && view.todos.all <= 1) cells.push({ text: `todo ${printable(view.todo)}` });
  if (view.todos.all > 1) cells.push({ text: `${view.todos.done} of ${view.todos.all} todos` });
  // Who is waited for, from the first request on.
  const model = view.awaited?.model ?? view.model;
  if (model !== "") cells.push({ text: printable(model), style: "dim" });
  return cells;
}

function statusLine(cells: Cell[], columns: number, paint: Paint): string {
  const shown: string[] = [];
  let left = columns;
  for (const { text, style } of cells) {
    const gap = shown.length === 0 ? 0 : 2;
    const styles = style ? [style] : [];
    if (widthOf(text) + gap > left) {
      if (shown.length === 0) shown.push(paint(fit(text, left), ...styles));
      break;
    }
    shown.push(paint(text, ...styles));
    left -= widthOf(text) + gap;
  }
  return shown.join("  ");
}

/** `  local/bridge has been silent for 14s; given up after 5m 00s` */
function silenceLine({ awaited }: ViewModel, now: number): string[] {
  if (!awaited || now - awaited.heardAt < SILENT_MS) return [];
  const { model, heardAt, patienceMs } = awaited;
  return [`  ${printable(model)} has been silent for ${elapsed(now - heardAt)}; given up after ${elapsed(patienceMs)}`];
}

/** `  mutants 12 of 53, about 9s left` */
function progressLine({ progress }: ViewModel, now: number): string[] {
  if (!progress) return [];
  const { text, done, of, since, at } = progress;
  if (of === 0) return [`  ${text}, since ${elapsed(now - since)}`];
  const left = done === 0 || done === of ? "" : `, about ${elapsed(((at - since) / done) * (of - done))} left`;
  return [`  ${text}: ${done} of ${of}${left}`];
}

/** The plan as a list, where it has several todos. */
function todoLines({ plan }: ViewModel, columns: number, paint: Paint): string[] {
  const todos = plan?.todos ?? [];
  if (todos.length < 2) return [];
  const first = todos.findIndex(({ state }) => state === "running" || state === "branched" || state === "failed");
  const from = Math.max(0, Math.min(first - 1, todos.length - SHOWN_TODOS));
  const shown = todos.slice(from, from + SHOWN_TODOS).map((todo) => fit(printable(todoLine(todo)), columns));
  const after = todos.length - from - shown.length;
  return [
    ...(from > 0 ? [paint(fit(`  … ${from} before`, columns), "dim")] : []),
    ...shown.flatMap((text) => paintLine(line(text), columns, paint)),
    ...(after > 0 ? [paint(fit(`  … ${after} after`, columns), "dim")] : []),
  ];
}

function lastLines(text: string, columns: number): string[] {
  const lines = printableLines(text.trimEnd())
    .split("\n")
    .filter((one) => one.trim() !== "");
  return lines
    .flatMap((one) => wrap(`  ${one.trim()}`, columns))
    .slice(-SHOWN_TEXT)
    .map((one) => fit(one, columns));
}
