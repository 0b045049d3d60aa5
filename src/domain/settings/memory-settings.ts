import { z } from "zod";
import { MemoryScope } from "../memory/memory-record.ts";

/** How the loop uses memory. */
export const MemoryUse = z.object({
  /** The share of uses that are held back, so that the effect of a record can be told. */
  control: z.number().min(0).max(1),
  /** What may be quoted into one prompt. */
  tokens: z.int().positive(),
  /** Who may find what is learnt. */
  scope: MemoryScope,
  /** What review, audit or safety sent back teaches, too. Absent in older recordings: only red tests do. */
  blocked: z.boolean().optional(),
});
export type MemoryUse = z.infer<typeof MemoryUse>;

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
  /** The cosine below which texts are unrelated, whatever embeds them. Absent: what suits the embedding. */
  threshold: z.number().min(0).max(1).optional(),
  /** Absent: the loop neither reads nor writes it (`--no-memory`). */
  use: MemoryUse.optional(),
});
export type MemorySettings = z.infer<typeof MemorySettings>;

export const defaultMemory: MemorySettings = { embeddings: null, maxRecords: 100_000 };
