import { join } from "node:path";
import { expect, test } from "vitest";
import { buildMemory } from "../../test/memory-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Embedder } from "./embed/embedder.ts";

/** Reads one thing alone: whether a text is about a clock. */
function clockReader(): Embedder & { read: string[] } {
  const read: string[] = [];
  return {
    model: "clock-2",
    threshold: 0.5,
    read,
    embed: async (texts) => {
      read.push(...texts);
      return texts.map((text) => ({
        model: "clock-2",
        values: Float32Array.from(/clock|time|late/.test(text) ? [1, 0] : [0, 1]),
      }));
    },
  };
}

const lesson = (id: string, message: string) => ({
  id,
  scope: "global" as const,
  error: `ValueError: ${message}`,
  reason: "r",
});
const sought = { kind: "lesson", error: "ValueError: job ended too late for it", for: "any", limit: 5 } as const;

test("what an error says decides where words do not; the model is not asked when nothing compares", async () => {
  const lessons = [
    lesson("a-disk", "ended job for disk"),
    lesson("clock", "job ended by clock"),
    ...["apple", "berry", "cherry"].map((fruit) => lesson(fruit, `a ${fruit} fell`)),
  ];
  await using plain = await buildMemory(join(temporaryDirectory(), "m.db"));
  await plain.memory.keep(lessons);
  expect((await plain.memory.find(sought))[0]?.id).toBe("a-disk");
  const prose = clockReader();
  await using built = await buildMemory(join(temporaryDirectory(), "m.db"), { prose });
  await built.memory.keep(lessons.slice(0, 1));
  const kept = prose.read.length;
  await built.memory.find(sought);
  expect(prose.read.length).toBe(kept);
  await built.memory.keep(lessons.slice(1));
  expect((await built.memory.find(sought))[0]?.id).toBe("clock");
  expect(prose.read.at(-1)).toContain("too late");
});

test("weights that are learnt anew do not have every text read again, a reindex does", async () => {
  const prose = clockReader();
  await using built = await buildMemory(join(temporaryDirectory(), "m.db"), { prose });
  const many = Array.from({ length: 40 }, (_, at) =>
    lesson(`l${at}`, `case ${"abcdefghij"[at % 10]}${"klmnop"[at % 6]} is ${"qrstuv"[at % 5]}${"wxyz"[at % 4]}`),
  );
  const { length: records } = await built.memory.keep(many);
  expect((await built.memory.stats()).weights.version).toBe(1);
  expect(prose.read.length).toBe(2 * many.length);
  const stored = (await built.memory.stats()).vectors;
  expect(stored["clock-2/said"]).toBe(stored["clock-2"]);
  expect(records).toBe(many.length);
  await built.memory.reindex();
  expect(prose.read.length).toBeGreaterThan(3 * many.length);
});

test("a model that does not answer costs nothing but its opinion", async () => {
  const prose = clockReader();
  await using built = await buildMemory(join(temporaryDirectory(), "m.db"), { prose });
  await built.memory.keep([lesson("disk", "job ended on full disk"), lesson("clock", "job ended by some clock")]);
  prose.embed = () => Promise.reject(new Error("gone"));
  expect((await built.memory.find(sought)).length).toBe(2);
  expect(built.warnings).toEqual(["searched without the sentence model: gone"]);
});

test("a failure that is met once more keeps what the model has read", async () => {
  await using built = await buildMemory(join(temporaryDirectory(), "m.db"), { prose: clockReader() });
  const { reason, ...met } = lesson("clock", "job ended by clock");
  await built.memory.keep([{ ...met, reason }]);
  await built.memory.keep([met], { once: { task: "t1", step: "s1" } });
  expect((await built.memory.stats()).vectors).toMatchObject({ "clock-2": 1, "clock-2/said": 1 });
});
