import { expect, test } from "vitest";
import type { TouchedTest } from "./compare-tests.ts";
import { sampleTouched } from "./sample-touched.ts";

const many = (count: number, touch: TouchedTest["touch"], file: string): TouchedTest[] =>
  Array.from({ length: count }, (_, index) => {
    const id = `${file}::t${index}`;
    return { test: id, touch, now: id, greenOn: "new", files: [file] };
  });

test("every edited test is asked, and tests of every file that leans on something", () => {
  const { asked, left } = sampleTouched([
    ...many(90, "shared", "a.py"),
    ...many(2, "shared", "b.py"),
    ...many(7, "own", "c.py"),
  ]);
  const of = (file: string) => asked.filter(({ files }) => files[0] === file).length;
  expect([of("a.py"), of("b.py"), of("c.py")]).toEqual([58, 2, 7]);
  expect(left).toEqual([]);
});

test("edited tests that are too many are left over, never dropped", () => {
  const { asked, left } = sampleTouched(many(400, "own", "a.py"));
  expect(asked.length + left.length).toBe(400);
  expect(left.length).toBeGreaterThan(0);
});
