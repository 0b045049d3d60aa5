import { expect, test } from "vitest";
import { readRecords } from "../evals/retrieval/records.ts";
import { measure } from "../evals/retrieval/run.ts";
import { hasSentenceModel } from "../src/memory/embed/sentence-model.ts";

test("errors of causes that nobody looked at find those of the same cause", async ({ skip }) => {
  skip(!hasSentenceModel(), "SKIPPED: no sentence model here (npm ci installs it)");
  const { hybrid } = await measure(readRecords("third"), "report");
  expect(hybrid?.ndcg10).toBeGreaterThan(0.85);
  expect(hybrid?.hit5).toBeGreaterThan(0.95);
});
