import { describe, expect, test } from "vitest";
import { dot, toUnitLength } from "../../src/memory/embed/unit-length.ts";
import type { IndexEntry, IndexFilter, MemoryIndex, Vector } from "../../src/memory/memory-index.ts";
import type { Store } from "../../src/store/store.ts";

export interface OpenedIndex {
  store: Store;
  index: MemoryIndex;
}

/**
 * What every index must do. `open` gives a connection to the same, at first empty, database. `oneSession`: it can only be
 * talked to from one place, so it shows nothing about several.
 */
export function memoryIndexConformance(
  name: string,
  database: () => { open: () => Promise<OpenedIndex> },
  { oneSession = false } = {},
): void {
  const everyone: IndexFilter = { kind: "lesson", audiences: "any" };

  describe(`a memory index on ${name}`, () => {
    test("finds what is like a vector, nearest first, with the exact cosine", async () => {
      const { store, index } = await prepared(database());
      await fill(
        { store, index },
        Array.from({ length: 60 }, (_, seed) => entry(`e${seed}`, { vectors: [vector("m-8", seed, 8)] })),
      );
      const query = vector("m-8", 7, 8);
      const hits = await index.nearest(query, everyone, 5);
      expect(hits[0]).toMatchObject({ id: "e7" });
      expect(hits[0]?.score).toBeCloseTo(1, 5);
      const exact = Array.from({ length: 60 }, (_, seed) => ({
        id: `e${seed}`,
        score: dot(query.values, vector("m-8", seed, 8).values),
      }));
      const best = exact.sort((a, b) => b.score - a.score).slice(0, 5);
      expect(hits.map(({ id }) => id)).toEqual(best.map(({ id }) => id));
      for (const [at, { score }] of best.entries()) expect(hits[at]?.score).toBeCloseTo(score, 5);
      await store[Symbol.asyncDispose]();
    });

    test("never compares vectors of different models", async () => {
      const { store, index } = await prepared(database());
      await fill({ store, index }, [
        entry("old", { vectors: [vector("m-8.1", 1, 8)] }),
        entry("new", { vectors: [vector("m-8.2", 1, 8)] }),
        entry("both", { vectors: [vector("m-8.1", 2, 8), vector("m-16", 2, 16)] }),
      ]);
      const ids = async (model: string, size: number) =>
        (await index.nearest(vector(model, 1, size), everyone, 10)).map(({ id }) => id).sort();
      expect(await ids("m-8.1", 8)).toEqual(["both", "old"]);
      expect(await ids("m-8.2", 8)).toEqual(["new"]);
      expect(await ids("m-16", 16)).toEqual(["both"]);
      expect(await ids("m-32", 32)).toEqual([]);
      expect((await index.similarities(vector("m-8.2", 1, 8), ["old", "new", "gone"])).map(({ id }) => id)).toEqual([
        "new",
      ]);
      expect(await index.models()).toEqual({ "m-16": 1, "m-8.1": 2, "m-8.2": 1 });
      const stored = await index.vectors(["m-8.1", "m-16"], ["both", "new", "gone"]);
      expect(stored.map(({ id, vector: { model } }) => `${id} ${model}`).sort()).toEqual(["both m-16", "both m-8.1"]);
      const both = stored.find(({ vector: { model } }) => model === "m-16")?.vector.values ?? [];
      for (const [at, value] of vector("m-16", 2, 16).values.entries()) expect(both[at]).toBeCloseTo(value, 6);
      await store[Symbol.asyncDispose]();
    });

    test("finds words, the rarer the better, and nothing that shares none", async () => {
      const { store, index } = await prepared(database());
      await fill({ store, index }, [
        ...Array.from({ length: 20 }, (_, at) => entry(`common${at}`, { words: "error in line" })),
        entry("rare", { words: "error keyerror line" }),
        entry("pair", { words: "no_module kindname" }),
      ]);
      expect((await index.search(["error", "keyerror"], everyone, 3))[0]?.id).toBe("rare");
      expect((await index.search(["no_module"], everyone, 3)).map(({ id }) => id)).toEqual(["pair"]);
      expect(await index.search(["nowhere"], everyone, 3)).toEqual([]);
      expect(await index.search([], everyone, 3)).toEqual([]);
      await store[Symbol.asyncDispose]();
    });

    test("takes every word as a word, whatever it means to the database", async () => {
      const { store, index } = await prepared(database());
      await fill({ store, index }, [entry("a", { words: "near or not and" })]);
      for (const word of ["or", "and", "not", "near", '"', "*", "a:b", "(", "'", "\\", "", "-x", "words:near", "😀"]) {
        await expect(index.search([word], everyone, 5)).resolves.toBeInstanceOf(Array);
      }
      expect((await index.search(["or"], everyone, 5)).map(({ id }) => id)).toEqual(["a"]);
      await store[Symbol.asyncDispose]();
    });

    test("shows nobody what is for others", async () => {
      const { store, index } = await prepared(database());
      const vectors = [vector("m-8", 1, 8)];
      await fill({ store, index }, [
        entry("mine", { audience: "project:a", vectors }),
        entry("theirs", { audience: "project:b", vectors }),
        entry("go", { audience: "language:go", vectors }),
        entry("all", { audience: "global", vectors }),
        { ...entry("pattern", { audience: "global", vectors }), kind: "pattern" },
      ]);
      const filter: IndexFilter = { kind: "lesson", audiences: ["project:a", "language:python", "global"] };
      const near = await index.nearest(vector("m-8", 1, 8), filter, 10);
      expect(near.map(({ id }) => id).sort()).toEqual(["all", "mine"]);
      expect((await index.search(["word"], filter, 10)).map(({ id }) => id).sort()).toEqual(["all", "mine"]);
      expect((await index.search(["word"], { ...everyone, kind: "pattern" }, 10)).map(({ id }) => id)).toEqual([
        "pattern",
      ]);
      expect((await index.nearest(vector("m-8", 1, 8), everyone, 10)).length).toBe(4);
      await store[Symbol.asyncDispose]();
    });

    test("replaces an entry that is added again, and forgets one that is removed", async () => {
      const { store, index } = await prepared(database());
      await fill({ store, index }, [entry("a", { words: "before", vectors: [vector("m-8", 1, 8)] })]);
      await fill({ store, index }, [entry("a", { words: "after", vectors: [vector("m-8", 2, 8)] })]);
      expect(await index.search(["before"], everyone, 5)).toEqual([]);
      expect((await index.search(["after"], everyone, 5)).length).toBe(1);
      expect((await index.nearest(vector("m-8", 2, 8), everyone, 5))[0]?.score).toBeCloseTo(1, 5);
      await store.write((tx) => index.remove(tx, ["a", "never there"]));
      expect(await index.search(["after"], everyone, 5)).toEqual([]);
      expect(await index.nearest(vector("m-8", 2, 8), everyone, 5)).toEqual([]);
      expect(await index.models()).toEqual({});
      await store[Symbol.asyncDispose]();
    });

    test("keeps nothing of a write that failed", async () => {
      const { store, index } = await prepared(database());
      const half = store.write(async (tx) => {
        await index.add(tx, entry("a", { vectors: [vector("m-8", 1, 8)] }));
        throw new Error("half way");
      });
      await expect(half).rejects.toThrow("half way");
      expect(await index.search(["word"], everyone, 5)).toEqual([]);
      expect(await index.nearest(vector("m-8", 1, 8), everyone, 5)).toEqual([]);
      await store[Symbol.asyncDispose]();
    });

    test.skipIf(oneSession)("loses nothing when two processes add at the same time", async () => {
      const { open } = database();
      const [one, two] = await Promise.all([open(), open()]);
      await Promise.all([one.index.prepare(), two.index.prepare()]);
      await Promise.all(
        [one, two].flatMap((opened, side) =>
          Array.from({ length: 25 }, (_, at) =>
            fill(opened, [entry(`${side}-${at}`, { vectors: [vector("m-8", side * 25 + at, 8)] })]),
          ),
        ),
      );
      expect((await two.index.search(["word"], everyone, 100)).length).toBe(50);
      expect((await one.index.nearest(vector("m-8", 3, 8), everyone, 100)).length).toBe(50);
      for (const { store } of [one, two]) await store[Symbol.asyncDispose]();
    });
  });
}

async function prepared({ open }: { open: () => Promise<OpenedIndex> }): Promise<OpenedIndex> {
  const opened = await open();
  await opened.index.prepare();
  await opened.index.prepare();
  return opened;
}

export async function fill({ store, index }: OpenedIndex, entries: readonly IndexEntry[]): Promise<void> {
  await store.write(async (tx) => {
    for (const one of entries) await index.add(tx, one);
  });
}

export function entry(id: string, of: Partial<IndexEntry> = {}): IndexEntry {
  return { id, kind: "lesson", audience: "global", words: "word", vectors: [], ...of };
}

/** The same for the same seed, in a direction of its own for each. */
export function vector(model: string, seed: number, size: number): Vector {
  let state = (seed + 1) * 2_654_435_761;
  const values = Float32Array.from({ length: size }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return { model, values: toUnitLength(values) };
}
