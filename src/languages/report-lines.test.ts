import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, readReportLines } from "./report-lines.ts";

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const passed = (name: string) => line({ type: "test", file: "a.py", name, outcome: "passed", ms: 1, message: "" });

test("reads tests, what still runs, and the end", () => {
  const start = (name: string) => line({ type: "start", file: "a.py", name });
  const read = readReportLines(start("one") + passed("one") + start("two") + line({ type: "end" }));
  expect(read.tests.map((one) => one.id)).toEqual(["a.py::one"]);
  expect(read.running).toEqual([{ file: "a.py", name: "two" }]);
  expect(read.ended).toBe(true);
});

test("a line that was cut off or forged counts for nothing", () => {
  const bad = ['{"type":"test","file":"a', "null", "[]", '{"type":"end"', '{"type":"test","file":1}', "\0", "{}{}"];
  const wrong = line({ type: "test", file: "a.py", name: "x", outcome: "brilliant", ms: 1, message: "" });
  const read = readReportLines(`${bad.join("\n")}\n${wrong}${passed("one")}`);
  expect(read.tests.map((one) => one.id)).toEqual(["a.py::one"]);
  expect(read.ended).toBe(false);
});

test("tells tests of the same name apart", () => {
  expect(readReportLines(passed("one") + passed("one")).tests.map((one) => one.id)).toEqual([
    "a.py::one",
    "a.py::one (2)",
  ]);
});

test("bounds what a report can hold", () => {
  const long = {
    type: "test",
    file: "f".repeat(9_000),
    name: "n".repeat(9_000),
    outcome: "failed",
    ms: 0,
    message: "m".repeat(90_000),
  };
  const [read] = readReportLines(line(long)).tests;
  expect(read?.id.length).toBeLessThan(1_100);
  expect(read?.message.length).toBeLessThan(4_100);
  expect(readReportLines(passed("x").repeat(30_000)).tests.length).toBe(20_000);
});

test("never throws, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      readReportLines(text);
    }),
  );
});

test("keeps the beginning and more of the end of a long text", () => {
  const text = clip(`start ${"x".repeat(100)} end`, 30);
  expect(text).toMatch(/^start xxxx\n\[…\]\nx+ end$/);
});
