import { join } from "node:path";
import { expect, test } from "vitest";
import { buildMemory } from "../../test/memory-builder.ts";
import { temporaryDirectory } from "../../test/temporary.ts";
import type { Embedder } from "./embed/embedder.ts";

/** A model that is loaded by its first text, and tells one subject from all others. */
function lazyReader(): Embedder & { read: string[] } {
  const read: string[] = [];
  const embed = async (texts: readonly string[]) => {
    read.push(...texts);
    return texts.map((text) => ({ model: "lazy-2", values: Float32Array.from(/sum/.test(text) ? [1, 0] : [0, 1]) }));
  };
  return { model: "lazy-2", threshold: 0.5, read, embed, isLoaded: () => read.length > 0 };
}

test("a task keeps what it learnt without loading a model, and the next search by meaning reads it", async () => {
  const prose = lazyReader();
  await using built = await buildMemory(join(temporaryDirectory(), "m.db"), { prose });
  const { memory } = built;
  const shared = { kind: "pattern", problemType: "feature", scope: "global" } as const;
  const once = (step: string) => ({ once: { task: "t1", step } });
  await memory.keep([{ ...shared, id: "sum", description: "add up: the sum" }], once("1"));
  await memory.keep([{ error: "KeyError: 'a'", scope: "global" }], once("2"));
  expect(prose.read).toEqual([]);
  const search = () => memory.find({ kind: "pattern", prose: "a sum of money", for: "any", limit: 5 });
  expect(await search()).toMatchObject([{ id: "sum", similarity: 1 }]);
  const texts = prose.read.length;
  expect(await search()).toMatchObject([{ id: "sum", similarity: 1 }]);
  expect(prose.read.length).toBe(texts + 1);
  // Loaded by now: what comes next is read at once.
  await memory.keep([{ ...shared, id: "date", description: "parse a date" }], once("3"));
  expect(prose.read.at(-1)).toContain("parse a date");
});
