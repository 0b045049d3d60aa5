import { expect, test } from "vitest";
import { z } from "zod";
import { Measurements } from "./measurements.ts";
import { RecordedLines } from "./recorded-lines.ts";
import { Names } from "./recorded-names.ts";

const never = (): never => {
  throw new Error("it was measured again");
};

/** A proof that measures three things, one of them twice, of different inputs. */
async function proof(measurements: Measurements, found: () => Promise<Set<string>>, tree = "t1") {
  return [
    await measurements.take("names", Names, found),
    await measurements.take("count", z.int(), async () => (await found()).size, { tree }),
    await measurements.take("count", z.int(), async () => 2 * (await found()).size, { tree: "other" }),
  ];
}

const made = async () => {
  const measurements = new Measurements();
  const values = await proof(measurements, async () => new Set(["b", "a"]));
  return { values, text: measurements.toText() };
};

test("a proof that is made again sees what the first one saw, and measures nothing", async () => {
  const { values, text } = await made();
  expect(values).toEqual([new Set(["b", "a"]), 2, 4]);
  const again = Measurements.read(text) ?? never();
  expect(await proof(again, never)).toEqual(values);
  expect(again.unused()).toEqual([]);
});

test("a measurement of something else is none, and one that nobody asks for is named", async () => {
  const { text } = await made();
  const again = Measurements.read(text) ?? never();
  await expect(proof(again, never, "t2")).rejects.toThrow("nobody measured this: count");
  expect(again.unused()).toEqual(["count", "count"]);
});

test("what is to be measured again is measured, and what is kept is not", async () => {
  const { text } = await made();
  const again = (Measurements.read(text) ?? never()).only("names");
  expect(await proof(again, async () => new Set(["c"]))).toEqual([new Set(["b", "a"]), 1, 2]);
});

test.each([
  ["no JSON", "{"],
  ["of another format", '{"format":"miracle-measurements/9","rows":[]}'],
  ["with a field of its own", '{"format":"miracle-measurements/1","rows":[],"more":1}'],
  [
    "with the same measurement twice",
    '{"format":"miracle-measurements/1","rows":[{"name":"a","found":1,"ms":0},{"name":"a","found":2,"ms":0}]}',
  ],
])("a text %s is none", (_, text) => {
  expect(Measurements.read(text)).toBeNull();
});

test("which lines each test runs is kept in few words and read back whole", () => {
  const runs = (...tests: string[]) => new Set(tests);
  const lines = new Map([
    [
      "a.py",
      new Map([
        [0, runs("")],
        [1, runs("t", "u")],
        [2, runs("u", "t")],
        [9, runs("t")],
      ]),
    ],
    ["b.py", new Map<number, Set<string>>()],
  ]);
  const kept = RecordedLines.encode(lines);
  expect(kept[0]?.runs).toHaveLength(3);
  expect(RecordedLines.parse(JSON.parse(JSON.stringify(kept)))).toEqual(lines);
  const made = [{ path: "a.py", tests: [], runs: [{ lines: [[1, 1e12]], tests: [] }] }];
  expect(RecordedLines.safeParse(made).success).toBe(false);
});
