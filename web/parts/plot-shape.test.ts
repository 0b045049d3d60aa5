import { expect, test } from "vitest";
import { byDay, plotShape } from "./plot-shape.ts";

const size = { wide: 300, high: 100, top: 0 };

test("the largest reaches the upper edge, and what was not counted leaves a gap", () => {
  const points = [4, 2, null, 1].map((value, index) => ({ key: String(index), value }));
  const { most, line, bars } = plotShape(points, size);
  expect(most).toBe(4);
  expect(line).toBe("M37.5 0L112.5 50M262.5 75");
  expect(bars.map(({ key, y, height }) => [key, y, height])).toEqual([
    ["0", 0, 100],
    ["1", 50, 50],
    ["3", 75, 25],
  ]);
});

test("a share is drawn against the whole", () => {
  expect(plotShape([{ key: "a", value: 0.5 }], { ...size, top: 1 }).dots).toEqual([
    { key: "a", value: 0.5, x: 150, y: 50 },
  ]);
});

test("nothing but zeros is drawn at the lower edge", () => {
  expect(plotShape([{ key: "a", value: 0 }], size).bars).toMatchObject([{ y: 100, height: 0 }]);
});

test("days without tasks are days, too", () => {
  const known = new Map([["2026-11-15", 3]]);
  expect(byDay(known, 3, Date.UTC(2026, 10, 16, 12))).toEqual([
    { key: "2026-11-14", value: null },
    { key: "2026-11-15", value: 3 },
    { key: "2026-11-16", value: null },
  ]);
});
