import { expect, test } from "vitest";
import { hasSentenceModel, sentenceModel } from "./sentence-model.ts";
import { dot } from "./unit-length.ts";

test.skipIf(!hasSentenceModel())("the sentence model puts sentences of one meaning together, offline", async () => {
  const model = sentenceModel();
  const [a, b, c] = await model.embed([
    "The file has another encoding than UTF-8.",
    "Characters come out garbled when the text is decoded.",
    "Two goroutines write to one map.",
  ]);
  if (!a || !b || !c) throw new Error("three texts give three vectors");
  expect(a.model).toBe("minilm-384");
  expect(a.values.length).toBe(384);
  expect(Math.hypot(...a.values)).toBeCloseTo(1, 4);
  expect(dot(a.values, b.values)).toBeGreaterThan(dot(a.values, c.values) + 0.1);
  expect(await model.embed([])).toEqual([]);
});
