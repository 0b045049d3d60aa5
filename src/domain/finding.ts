import { z } from "zod";

export const Severity = z.enum(["low", "medium", "high", "critical"]);
export type Severity = z.infer<typeof Severity>;

/** What the safety layer says of one place, before anything is executed. */
export const Finding = z.lazy(() =>
  z.object({
    /** Stable, dotted: `python.eval`, `secret.pem`, `dependency.unlisted`. */
    rule: z.string(),
    kind: z.enum(["code", "secret", "dependency"]),
    severity: Severity,
    /** Relative to the workspace, with `/`. */
    path: z.string(),
    /** Counted from 1. */
    line: z.int().positive(),
    column: z.int().positive(),
    /** The offending text, bounded; of a secret only its kind and length. */
    excerpt: z.string(),
    /** What it is and why it matters. */
    message: z.string(),
    /** What to do instead. */
    instead: z.string(),
    /** True where policy says that nothing runs before this is gone or approved. */
    blocking: z.boolean(),
    cwe: z.string().optional(),
    /** Of a dependency that comes from an index by its name. */
    package: z
      .object({ language: z.enum(["python", "javascript", "go"]), name: z.string(), range: z.string() })
      .optional(),
  }),
);
export type Finding = z.infer<typeof Finding>;
