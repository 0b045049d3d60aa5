import type { PlotPoint } from "./plot.tsx";

interface Bar {
  key: string;
  value: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlotShape {
  /** What the upper edge stands for. */
  most: number;
  bars: Bar[];
  /** A path; where nothing was counted it is not drawn. */
  line: string;
  dots: { key: string; value: number; x: number; y: number }[];
}

/** Where everything of a plot is drawn. */
export function plotShape(points: readonly PlotPoint[], size: { wide: number; high: number; top: number }): PlotShape {
  const { wide, high, top } = size;
  const most = Math.max(top, ...points.map(({ value }) => value ?? 0));
  const room = wide / Math.max(1, points.length);
  const dots = points.flatMap(({ key, value }, index) =>
    value === null
      ? []
      : [{ key, value, index, x: round((index + 0.5) * room), y: round(high - (value / (most || 1)) * high) }],
  );
  const bars = dots.map(({ key, value, index, y }): Bar => {
    return { key, value, x: round(index * room + room * 0.14), y, width: round(room * 0.72), height: round(high - y) };
  });
  const line = dots
    .map(({ x, y, index }, nth) => `${dots[nth - 1]?.index === index - 1 ? "L" : "M"}${x} ${y}`)
    .join("");
  return { most, bars, line, dots: dots.map(({ key, value, x, y }) => ({ key, value, x, y })) };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Every day from one to another, with what is known of it. */
export function byDay(known: ReadonlyMap<string, number | null>, days: number, now: number): PlotPoint[] {
  return Array.from({ length: days }, (_, index) => {
    const key = new Date(now - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return { key, value: known.get(key) ?? null };
  });
}
