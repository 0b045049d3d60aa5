import { z } from "zod";
import { memoryFields } from "./memory-record.ts";

/** What memory keeps of a failure: how it shows, and what made it go away. */
export const Lesson = z.object({
  ...memoryFields,
  kind: z.literal("lesson"),
  /** The error without what differs from one occurrence to the next: what it is found by. */
  signature: z.string(),
  /** The class or code of the error: `KeyError`, `TS2345`, `go:undefined`. */
  errorType: z.string(),
  /** The error as it was met, bounded and without secrets. */
  error: z.string(),
  goal: z.string(),
  failedCode: z.string().nullable(),
  /** What surrounded it: the test, the command, the file. */
  context: z.string().nullable(),
  /** The diff that turned it green; null while nothing has. */
  diff: z.string().nullable(),
  /** Why that helped, in one line. */
  reason: z.string().nullable(),
  /** How often it was met. */
  seen: z.int().positive(),
});
export type Lesson = z.infer<typeof Lesson>;
