import { z } from "zod";

/**
 * Who may find a record: work on the same project, the same person's work anywhere, work in the same language, or all. As a
 * setting, `mine` keeps a record for its project and, without what names the project, for its person.
 */
export const MemoryScope = z.enum(["project", "mine", "language", "global"]);
export type MemoryScope = z.infer<typeof MemoryScope>;

/** Only active records are found. A quarantined one did harm, a pruned one did not help; both are kept to be known again. */
export const MemoryStatus = z.enum(["active", "quarantined", "pruned"]);
export type MemoryStatus = z.infer<typeof MemoryStatus>;

export const MemoryKind = z.enum(["lesson", "pattern"]);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** What lessons and patterns have in common. */
export const memoryFields = {
  id: z.string(),
  /** The task it was learnt in; empty for what was imported. */
  task: z.string(),
  scope: MemoryScope,
  /** Names the project without telling where it lies; of `mine` its person. Empty when it is of neither. */
  project: z.string(),
  language: z.string(),
  /** `own`, or `imported:` and where from. */
  origin: z.string(),
  /** From 0, nothing is known of it, to 1. What is imported starts at 0. */
  trust: z.number().min(0).max(1),
  status: MemoryStatus,
  /** Two records of one audience with the same key are one. */
  dedupKey: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
};

/** Who a record is for, as one word: what is filtered by and what is unique with the key. */
export function audienceOf(of: { scope: MemoryScope; project: string; language: string }): string {
  if (of.scope === "global") return "global";
  return of.scope === "language" ? `language:${of.language}` : `${of.scope}:${of.project}`;
}
