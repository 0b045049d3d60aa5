import { type CoveredText, coverNames, definedNames } from "./cover-names.ts";
import type { NewLesson, NewPattern } from "./new-record.ts";
import { signatureOf } from "./signature/signature.ts";

/** A text of which more than this share had to be covered says nothing to anybody else. */
const MOST_COVERED = 1 / 3;

/**
 * What of a record helps in other projects, without names, paths and code of the one it comes from. Null: it is about that
 * project alone, or nothing mended it yet.
 */
export function generalRecord(record: NewLesson | NewPattern, projectNames: readonly string[]) {
  return record.kind === "pattern" ? generalPattern(record, projectNames) : generalLesson(record, projectNames);
}

function generalLesson(lesson: NewLesson, projectNames: readonly string[]): NewLesson | null {
  const { kind = "lesson", language = "", error, reason, diff, failedCode } = lesson;
  if (!reason) return null;
  const own = new Set([...projectNames, ...definedNames(`${failedCode ?? ""}\n${diff ?? ""}`)]);
  const signature = signatureOf(error, language).text;
  const told = general(coverNames(reason, own));
  const shown = coverNames(signature, own).text;
  if (told === null || shown.trim() === "") return null;
  // By the goal it is found before anything went wrong. It is not quoted.
  return { kind, language, error: shown, reason: told, goal: general(coverNames(lesson.goal ?? "", own)) ?? "" };
}

function generalPattern(pattern: NewPattern, projectNames: readonly string[]): NewPattern | null {
  const own = new Set([...projectNames, ...definedNames(pattern.codeTemplate ?? "")]);
  const description = general(coverNames(pattern.description, own));
  const plan = general(coverNames(pattern.plan ?? "", own)) ?? "";
  const { kind, language = "", problemType } = pattern;
  return description === null ? null : { kind, language, problemType, description, plan };
}

const general = ({ text, words, covered }: CoveredText): string | null =>
  words === 0 || covered > words * MOST_COVERED ? null : text;
