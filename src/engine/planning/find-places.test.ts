import { expect, test } from "vitest";
import { findPlaces } from "./find-places.ts";

const files = new Map([["fee.py", "import os\n\ndef fee(days):\n    return 0\n\ndef other():\n    return 0\n"]]);
const read = (path: string) => files.get(path) ?? null;

test("gives each place the line where it stands, whatever line was named", () => {
  expect(findPlaces([{ path: "fee.py", quote: "def fee(days):", line: 90 }], read)).toEqual({
    found: [{ path: "fee.py", line: 3, quote: "def fee(days):" }],
  });
});

test("of a line that stands several times the nearest is meant", () => {
  const lines = [1, 7].map(
    (line) => findPlaces([{ path: "fee.py", quote: "    return 0", line }], read).found[0]?.line,
  );
  expect(lines).toEqual([4, 7]);
});

test("says what stands nowhere, so that it is never shown", () => {
  const made = [
    { path: "fee.py", quote: "def toll():" },
    { path: "gone.py", quote: "x" },
    { path: "fee.py", quote: " \n" },
  ];
  const { found, problem } = findPlaces(made, read);
  expect(found).toEqual([]);
  expect(problem).toMatch(/\[1\] fee\.py has no line "def toll\(\):"; \[2\] there is no file gone\.py; \[3\]/);
});
