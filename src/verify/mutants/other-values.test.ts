import { expect, test } from "vitest";
import { otherValues } from "./other-values.ts";

const others = (path: string, before: string, content: string) => otherValues({ path, content }, before);

test("each changed value of a line becomes another, and none that stayed", () => {
  const before = '{"FR": 20, "IT": 22, "DE": 16}\n';
  expect(others("rates.json", before, '{"FR": 2, "IT": 22, "DE": 19}\n')).toEqual([
    '{"FR": 3, "IT": 22, "DE": 19}\n',
    '{"FR": 2, "IT": 22, "DE": 10}\n',
  ]);
  expect(others("rates.json", before, '{"FR": 19, "IT": 22, "DE": 16}\n')).toHaveLength(1);
});

test("a sign and a line that went are put back as they were", () => {
  expect(others("a.csv", "pear,7,2\n", "pear,-7,2\n")).toEqual(["pear,7,2\n"]);
  expect(others("a.csv", "apple,1\npear,2\n", "apple,1\n")).toEqual(["apple,1\npear,2\n"]);
});

test("more values than are tried are none that were", () => {
  const rows = (value: number) => Array.from({ length: 50 }, (_, row) => `c${row},${value}\n`).join("");
  expect(others("a.csv", rows(1), rows(2))).toBeNull();
  expect(others("a.csv", "", rows(2))).toBeNull();
});

test("how JSON is laid out says nothing", () => {
  expect(others("a.json", '{"a":1}', '{\n  "a": 1\n}\n')).toEqual([]);
});
