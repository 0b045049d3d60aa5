import { expect, test } from "vitest";
import { windowOf } from "./window.ts";

test("the smallest window of the models that may be asked counts, the longest name that fits tells it", () => {
  const windows = { "local/*": 32_000, "local/large*": 64_000, "openai/gpt": 400_000 };
  expect(windowOf(["openai/gpt"], windows)).toBe(400_000);
  expect(windowOf(["openai/gpt", "local/large-2"], windows)).toBe(64_000);
  expect(windowOf(["local/small"], windows)).toBe(32_000);
  expect(windowOf(["other/one"], windows)).toBe(128_000);
});
