import { createHash } from "node:crypto";
import { z } from "zod";
import type { Lesson } from "../domain/memory/lesson.ts";
import { MemoryScope } from "../domain/memory/memory-record.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { CleanText } from "./clean-text.ts";
import { signatureOf } from "./signature/signature.ts";

const shared = {
  /** Used if no other record has it; otherwise a new one is made. */
  id: z
    .string()
    .regex(/^[\w.:-]{1,80}$/)
    .optional(),
  task: z.string().max(80).default(""),
  scope: MemoryScope.default("project"),
  project: z.string().max(80).default(""),
  language: z.string().max(40).default(""),
};

/** What is known when something failed. All other fields are made from it. An import has the same fields. */
export const NewLesson = z.object({
  ...shared,
  kind: z.literal("lesson").default("lesson"),
  error: z.string().min(1),
  goal: z.string().default(""),
  failedCode: z.string().nullable().default(null),
  context: z.string().nullable().default(null),
  diff: z.string().nullable().default(null),
  reason: z.string().nullable().default(null),
});
export type NewLesson = z.input<typeof NewLesson>;

export const NewPattern = z.object({
  ...shared,
  kind: z.literal("pattern"),
  problemType: z.string().min(1),
  description: z.string().min(1),
  plan: z.string().default(""),
  interfaces: z.string().default(""),
  codeTemplate: z.string().default(""),
  testTemplate: z.string().default(""),
});
export type NewPattern = z.input<typeof NewPattern>;

export interface Provenance {
  id: string;
  origin: string;
  trust: number;
  at: number;
}

/** Longest parts in characters: a lesson must be short enough to read. */
const LONGEST = { error: 8_000, code: 4_000, diff: 8_000, line: 400, text: 2_000 };

export function makeLesson(given: NewLesson, clean: CleanText, { id, origin, trust, at }: Provenance): Lesson {
  const from = NewLesson.parse(given);
  const error = clean(from.error, LONGEST.error);
  const signature = signatureOf(error, from.language);
  const optional = (text: string | null, longest: number) => (text === null ? null : clean(text, longest));
  return {
    kind: "lesson",
    id: from.id ?? id,
    task: from.task,
    scope: from.scope,
    project: from.project,
    language: from.language === "" ? signature.language : from.language,
    origin,
    trust,
    status: "active",
    dedupKey: keyOf(signature.errorType, signature.text === "" ? error : signature.text),
    createdAt: at,
    updatedAt: at,
    signature: signature.text,
    errorType: signature.errorType,
    error,
    goal: clean(from.goal, LONGEST.text),
    failedCode: optional(from.failedCode, LONGEST.code),
    context: optional(from.context, LONGEST.code),
    diff: optional(from.diff, LONGEST.diff),
    reason: optional(from.reason, LONGEST.line)?.replace(/\s+/g, " ") ?? null,
    seen: 1,
  };
}

export function makePattern(given: NewPattern, clean: CleanText, { id, origin, trust, at }: Provenance): Pattern {
  const from = NewPattern.parse(given);
  const description = clean(from.description, LONGEST.text);
  return {
    kind: "pattern",
    id: from.id ?? id,
    task: from.task,
    scope: from.scope,
    project: from.project,
    language: from.language,
    origin,
    trust,
    status: "active",
    dedupKey: keyOf(from.problemType, description.toLowerCase().replace(/\s+/g, " ").trim()),
    createdAt: at,
    updatedAt: at,
    problemType: clean(from.problemType, LONGEST.line),
    description,
    plan: clean(from.plan, LONGEST.code),
    interfaces: clean(from.interfaces, LONGEST.code),
    codeTemplate: clean(from.codeTemplate, LONGEST.diff),
    testTemplate: clean(from.testTemplate, LONGEST.diff),
    uses: 0,
    successRate: 0,
  };
}

const keyOf = (...parts: string[]): string => createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
