import { expect, test } from "vitest";
import { withGoneEntries } from "./gone-entries.ts";

test("a field of JSON that made way for another one comes back beside it, wherever it stood", () => {
  const back = (old: unknown, now: unknown) =>
    withGoneEntries("zones.json", JSON.stringify(now), JSON.stringify(old)).map((text) => JSON.parse(text));
  expect(back({ DE: 5, EU: 9 }, { DE: 5, CH: 12 })).toEqual([{ DE: 5, CH: 12, EU: 9 }]);
  expect(back({ a: { b: 1 }, c: [{ id: 1, n: 2 }, { id: 2 }] }, { a: {}, c: [{ id: 1, n: 3 }] })).toEqual([
    { a: { b: 1 }, c: [{ id: 1, n: 3 }] },
    { a: {}, c: [{ id: 1, n: 3 }, { id: 2 }] },
  ]);
  expect(back({ a: 1, b: [1, 2] }, { b: [2, 1], a: 2 })).toEqual([]);
});

test("a line that is gone comes back where it stood, one that says something else now does not", () => {
  expect(withGoneEntries("rates.csv", "DE,5\nCH,12\n", "DE,4\nEU,9\n")).toEqual(["DE,5\nEU,9\nCH,12\n"]);
  expect(withGoneEntries("rates.csv", "", "DE,5\n")).toEqual(["DE,5\n"]);
  expect(withGoneEntries("rates.csv", "EU,9\nDE,5\n", "DE,5\nEU,8\n")).toEqual([]);
});
