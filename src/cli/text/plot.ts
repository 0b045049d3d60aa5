const BARS = "▁▂▃▄▅▆▇█";

/** Values as one line of bars; the highest is full, null is a gap. */
export function sparkline(values: (number | null)[]): string {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null) return " ";
      if (highest === 0 || value <= 0) return BARS[0];
      return BARS[Math.min(BARS.length - 1, Math.max(0, Math.ceil((value / highest) * BARS.length) - 1))];
    })
    .join("");
}

/** A share of the highest value as a bar of so many columns. */
export function bar(value: number, highest: number, columns: number): string {
  if (highest <= 0 || value <= 0) return "";
  return "█".repeat(Math.max(1, Math.round((value / highest) * columns)));
}

/** Columns of text, each as wide as its widest cell; numbers stand right, the first column left. */
export function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
