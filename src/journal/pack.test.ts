import fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, plainJson } from "../domain/json.ts";
import { pack, unpack } from "./pack.ts";

const loadFrom = (blobs: Map<string, string>) => async (hash: string) =>
  blobs.get(hash) ?? Promise.reject(new Error(hash));

test("any JSON value comes back as it went in", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
      const plain = plainJson(value);
      const packed = pack(plain);
      expect(await unpack(packed.hash, loadFrom(packed.blobs))).toEqual(plain);
    }),
  );
});

test("data cannot pose as a reference", async () => {
  const hash = "0".repeat(64);
  for (const value of [{ $: hash }, { $chunks: [hash], $depth: 1 }, { $$: 1 }, [{ $: "x".repeat(200) }]] as Json[]) {
    const packed = pack(value);
    expect(await unpack(packed.hash, loadFrom(packed.blobs))).toEqual(value);
  }
});

test("equal values have equal hashes, whatever the order of their keys", () => {
  expect(pack({ a: 1, b: [2], c: undefined }).hash).toBe(pack({ b: [2], a: 1 }).hash);
  expect(pack({ a: 1 }).hash).not.toBe(pack({ a: 2 }).hash);
});

test("a transcript that grows turn by turn costs linear space", () => {
  const stored = new Set<string>();
  const bytesAfter = (turns: number) => {
    const messages = Array.from({ length: turns }, (_, index) => ({
      role: "user",
      content: `${index} ${"x".repeat(300)}`,
    }));
    let added = 0;
    for (const [hash, text] of pack({ messages }).blobs) {
      if (!stored.has(hash)) added += text.length;
      stored.add(hash);
    }
    return added;
  };
  const costs = Array.from({ length: 400 }, (_, turn) => bytesAfter(turn + 1));
  const average = (from: number, to: number) =>
    costs.slice(from, to).reduce((sum, cost) => sum + cost, 0) / (to - from);
  expect(average(350, 400)).toBeLessThan(3 * average(10, 60));
});
