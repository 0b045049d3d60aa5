import { z } from "zod";
import type { Failure } from "../failure.ts";
import { Severity } from "../finding.ts";

/** The roles that read a change before it is tested. */
export const ReviewRole = z.enum(["reviewer", "auditor"]);
export type ReviewRole = z.infer<typeof ReviewRole>;

/** A problem that the reviewer or the auditor found at one place of the change. */
export const ReviewFinding = z.object({
  severity: Severity,
  path: z.string(),
  line: z.int().positive(),
  message: z.string().min(1).describe("what is wrong and why it matters, in one sentence"),
  instead: z.string().default("").describe("what to do instead"),
  cwe: z
    .string()
    .regex(/^CWE-\d+$/)
    .optional(),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

export const isBlocking = ({ severity }: ReviewFinding): boolean => severity === "critical" || severity === "high";

/** `overruled`: rejected too often already; the tests decide, and the findings stay in the record for the person. */
export const ReviewRuling = z.enum(["approved", "rejected", "overruled"]);
export type ReviewRuling = z.infer<typeof ReviewRuling>;

/** Whether a failure comes from the reviewer or the auditor. */
export const isReview = ({ code }: Failure): boolean => /^(reviewer|auditor)\.findings$/.test(code);

/** How often one role may reject the same piece of work. */
export const MOST_REJECTIONS = 2;

/** Pure: what follows from findings, after so many rejections by the same role. */
export function ruleOnReview(findings: ReviewFinding[], rejections: number): ReviewRuling {
  if (!findings.some(isBlocking)) return "approved";
  return rejections < MOST_REJECTIONS ? "rejected" : "overruled";
}

export const describeFinding = ({ severity, path, line, message, instead, cwe }: ReviewFinding): string =>
  `${path}:${line} ${severity}${cwe === undefined ? "" : ` ${cwe}`}: ${message}${instead === "" ? "" : ` Instead: ${instead}`}`;
