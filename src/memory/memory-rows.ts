import type { Insertable, Selectable } from "kysely";
import { Lesson } from "../domain/memory/lesson.ts";
import { audienceOf } from "../domain/memory/memory-record.ts";
import { Pattern } from "../domain/memory/pattern.ts";
import type { Tables } from "../store/tables.ts";

/** Lessons are rows of `failures`, patterns are rows of `patterns`. The table names are older than our terms. */
export function lessonRow(lesson: Lesson): Insertable<Tables["failures"]> {
  return {
    ...sharedColumns(lesson),
    error_signature: lesson.signature,
    error_type: lesson.errorType,
    error_text: lesson.error,
    task_description: lesson.goal,
    failed_code: lesson.failedCode,
    code_context: lesson.context,
    solution: lesson.diff,
    fix_description: lesson.reason,
    seen: lesson.seen,
  };
}

export function toLesson(row: Selectable<Tables["failures"]>): Lesson {
  return Lesson.parse({
    kind: "lesson",
    ...sharedFields(row),
    signature: row.error_signature,
    errorType: row.error_type,
    error: row.error_text,
    goal: row.task_description,
    failedCode: row.failed_code,
    context: row.code_context,
    diff: row.solution,
    reason: row.fix_description,
    seen: Number(row.seen),
  });
}

export function patternRow(pattern: Pattern): Insertable<Tables["patterns"]> {
  return {
    ...sharedColumns(pattern),
    problem_type: pattern.problemType,
    description: pattern.description,
    plan: pattern.plan,
    interfaces: pattern.interfaces,
    code_template: pattern.codeTemplate,
    test_template: pattern.testTemplate,
    usage_count: pattern.uses,
    success_rate: pattern.successRate,
  };
}

export function toPattern(row: Selectable<Tables["patterns"]>): Pattern {
  return Pattern.parse({
    kind: "pattern",
    ...sharedFields(row),
    problemType: row.problem_type,
    description: row.description,
    plan: row.plan,
    interfaces: row.interfaces,
    codeTemplate: row.code_template,
    testTemplate: row.test_template,
    uses: Number(row.usage_count),
    successRate: Number(row.success_rate),
  });
}

function sharedColumns(record: Lesson | Pattern) {
  return {
    id: record.id,
    task_id: record.task,
    scope: record.scope,
    project_id: record.project,
    language: record.language,
    audience: audienceOf(record),
    origin: record.origin,
    trust: record.trust,
    status: record.status,
    dedup_key: record.dedupKey,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function sharedFields(row: Selectable<Tables["failures"]> | Selectable<Tables["patterns"]>) {
  return {
    id: row.id,
    task: row.task_id,
    scope: row.scope,
    project: row.project_id,
    language: row.language,
    origin: row.origin,
    trust: Number(row.trust),
    status: row.status,
    dedupKey: row.dedup_key,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
