import { z } from "zod";

/** What the model calls of one group took. */
export const Used = z.object({
  key: z.string(),
  calls: z.int(),
  attempts: z.int(),
  inputTokens: z.int(),
  cachedTokens: z.int(),
  outputTokens: z.int(),
  costMicros: z.int(),
  unpriced: z.int().describe("Calls of models without a price: the cost leaves them out"),
  durationMs: z.int(),
  tasks: z.int(),
});
