import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestSketches, SKETCH_BITS, sketchOf } from "./sketch.ts";

const bytes = fc.uint8Array({ minLength: SKETCH_BITS / 8, maxLength: SKETCH_BITS / 8 });

/** Bit by bit: what the fast way must agree with. */
const distance = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, byte, at) => sum + (byte ^ (b[at] ?? 0)).toString(2).replaceAll("0", "").length, 0);

test("the nearest sketches are those with the fewest differing bits", () => {
  fc.assert(
    fc.property(
      bytes,
      fc.array(bytes, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (query, all, wanted) => {
        const sketches = new Int32Array(new Uint8Array(all.flatMap((sketch) => [...sketch])).buffer);
        const pack = { numbers: Float64Array.from(all.keys()), sketches };
        const found = nearestSketches(query, [pack], wanted);
        const of = (number: number) => distance(query, all[number] ?? query);
        const best = [...all.keys()]
          .map(of)
          .sort((a, b) => a - b)
          .slice(0, wanted);
        expect(found.map(of).sort((a, b) => a - b)).toEqual(best);
      },
    ),
  );
  const zeros = new Uint8Array(SKETCH_BITS / 8);
  const ones = new Int32Array(SKETCH_BITS / 32).fill(-1);
  expect(nearestSketches(zeros, [{ numbers: Float64Array.of(7), sketches: ones }], 1)).toEqual([7]);
  expect(nearestSketches(zeros, [], 1)).toEqual([]);
});

test("the share of differing bits tells the angle, also of vectors that are mostly zeros", () => {
  // Every prime step visits all dimensions in an order of no pattern.
  const place = (at: number) => (at * 389 + ((at * at * 7) % 1021)) % 1024;
  const ones = (from: number, to: number) => {
    const values = new Float32Array(1024);
    for (let at = from; at < to; at += 1) values[place(at)] = 1;
    return values;
  };
  const bits = (a: Float32Array, b: Float32Array) => distance(sketchOf(a), sketchOf(b)) / SKETCH_BITS;
  expect(bits(ones(0, 60), ones(0, 60))).toBe(0);
  expect(bits(ones(0, 60), ones(0, 30))).toBeCloseTo(Math.acos(Math.SQRT1_2) / Math.PI, 1);
  expect(bits(ones(0, 60), ones(60, 120))).toBeCloseTo(0.5, 1);
});
