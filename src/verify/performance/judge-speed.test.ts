import { expect, test } from "vitest";
import { allFaster, describeSpeed } from "../../domain/evidence/speed.ts";
import { benchmarkFacts, benchmarkPath, factorSaid, isBenchmark } from "./benchmark.ts";
import { judgeSpeed, type SpeedPair, spreadOf } from "./judge-speed.ts";

/** Each pair: milliseconds before and after; the process takes `start` more. */
const pairsOf = (times: [number, number][], change: Partial<SpeedPair["after"]> = {}): SpeedPair[] =>
  times.map(([before, after], seed) => ({
    size: 1000,
    seed,
    before: { workMs: before, totalMs: before + 80, result: `r${seed}`, problem: "" },
    after: { workMs: after, totalMs: after + 80, result: `r${seed}`, problem: "", ...change },
  }));
const nine = (before: number, after: number): [number, number][] =>
  Array.from({ length: 9 }, (_, index) => [before + index, after + (index % 3)]);

test("what is faster in all but one pair is faster; one bad run decides nothing", () => {
  const times = nine(400, 100);
  times[4] = [400, 900];
  const judged = judgeSpeed(pairsOf(times), 3);
  expect(judged).toMatchObject({ verdict: "faster", factor: { low: expect.closeTo(3.95, 1) } });
  expect(judged.before?.median).toBe(403);
});

test("a difference that comes and goes is noise", () => {
  const times = nine(400, 360);
  times[2] = [400, 430];
  times[7] = [400, 395];
  expect(judgeSpeed(pairsOf(times), null)).toMatchObject({
    verdict: "not-faster",
    why: "that cannot be told from noise",
  });
});

test("less than the requirement says is too little", () => {
  expect(judgeSpeed(pairsOf(nine(400, 200)), 3)).toMatchObject({ verdict: "too-little" });
  expect(judgeSpeed(pairsOf(nine(400, 200)), null)).toMatchObject({ verdict: "faster" });
});

test("work that is only done at another time saves nothing", () => {
  const pairs = pairsOf(nine(400, 1)).map((pair) => ({ ...pair, after: { ...pair.after, totalMs: 470 } }));
  expect(judgeSpeed(pairs, null)).toMatchObject({
    verdict: "not-faster",
    why: "the program as a whole does not end sooner",
  });
});

test("another result than before, or none, is no speed", () => {
  expect(judgeSpeed(pairsOf(nine(400, 1), { result: "other" }), null).verdict).toBe("different");
  expect(judgeSpeed(pairsOf(nine(400, 1), { result: null, problem: "boom" }), null)).toMatchObject({
    verdict: "broken",
    why: "the benchmark does not come to its end after the change: boom",
  });
  expect(judgeSpeed([], null).verdict).toBe("broken");
});

test("a spread names the middle and what stands next to the outermost of nine", () => {
  expect(spreadOf([9, 1, 8, 2, 7, 3, 6, 4, 5])).toEqual({ median: 5, low: 2, high: 8 });
  expect(spreadOf([1, 2, 3, 4, 100, 6])).toEqual({ median: 3.5, low: 1, high: 100 });
});

test.each([
  ["search is at least 3 times as fast", 3],
  ["2.5x faster than now", 2.5],
  ["by a factor of 10", 10],
  ["twice as fast", 2],
  ["30 % faster", 1.3],
  ["takes 50 % less time", 2],
  ["answers 100 times per second on a 10x10 grid", null],
  ["much faster", null],
])("the requirement %j asks for %j", (text, factor) => {
  expect(factorSaid(text)).toBe(factor);
});

test("there is a place for a benchmark in every language in which we can run one", () => {
  const places = (["python", "javascript", "typescript", "go"] as const).map((name) => benchmarkPath(name, "sort-it"));
  expect(places).toEqual(["bench/bench_sort_it.py", "bench/sort-it.bench.js", "bench/sort-it.bench.ts", null]);
  expect(places.every((place) => place === null || isBenchmark(place))).toBe(true);
});

test("a benchmark is known by its name, and says its size itself", () => {
  expect(
    ["bench/bench_sort.py", "bench/sort.bench.js", "src/bench.py", "tests/test_bench.py"].map(isBenchmark),
  ).toEqual([true, true, false, false]);
  expect(benchmarkFacts("import x\nSIZE = 20_000\nFACTOR = 1.5\n")).toEqual({ size: 20000, factor: 1.5 });
  expect(benchmarkFacts("export const SIZE = 300;\n")).toEqual({ size: 300, factor: null });
});

test("every requirement needs a measurement of its own", () => {
  const judged = judgeSpeed(pairsOf(nine(400, 100)), null);
  const report = { requirement: "R1", benchmark: "bench/bench_x.py", asked: null, ...judged };
  expect([allFaster([report], ["R1"]), allFaster([report], ["R1", "R2"]), allFaster([], [])]).toEqual([
    true,
    false,
    false,
  ]);
  expect(describeSpeed(report)).toBe(
    "4.00 × as fast (3.97 to 4.03), 404 ms (401 to 407) before, 101 ms (100 to 102) now",
  );
});
