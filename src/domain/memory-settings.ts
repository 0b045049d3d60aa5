import { z } from "zod";

/** How memory turns prose into vectors when not by the model that comes along, and how much it keeps. */
export const MemorySettings = z.object({
  embeddings: z
    .object({
      /** One of the providers: its address and the variable of its key. */
      provider: z.string(),
      model: z.string(),
      dimensions: z.int().positive(),
      /** The cosine below which texts have nothing to do with each other. */
      threshold: z.number().min(0).max(1),
    })
    .nullable(),
  maxRecords: z.int().positive(),
});
export type MemorySettings = z.infer<typeof MemorySettings>;

export const defaultMemory: MemorySettings = { embeddings: null, maxRecords: 100_000 };
