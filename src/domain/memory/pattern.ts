import { z } from "zod";
import { memoryFields } from "./memory-record.ts";

/** What memory keeps of a success: how a kind of problem was solved. */
export const Pattern = z.object({
  ...memoryFields,
  kind: z.literal("pattern"),
  problemType: z.string(),
  description: z.string(),
  plan: z.string(),
  interfaces: z.string(),
  codeTemplate: z.string(),
  testTemplate: z.string(),
  uses: z.int().nonnegative(),
  successRate: z.number().min(0).max(1),
});
export type Pattern = z.infer<typeof Pattern>;
