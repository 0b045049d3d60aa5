import { isMet, type Row } from "./measurement.ts";

const HEADINGS = ["", "measured", "bar", "", "figures"];

/** The rows as a table for people. */
export function table(rows: Row[]): string {
  const lines = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cells(row: Row): string[] {
  const { what, value, unit, bar, detail } = row;
  const verdict = bar === null ? "–" : isMet(row) ? "ok" : `short by ${amount(value - bar, unit)}`;
  return [what, amount(value, unit), bar === null ? "–" : `≤ ${amount(bar, unit)}`, verdict, detail];
}

export function amount(value: number, unit: Row["unit"]): string {
  if (unit === "×") return `${value.toFixed(2)} ×`;
  const digits = unit === "ms" ? (Math.abs(value) < 1 ? 3 : 1) : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
