import { createHash } from "node:crypto";

/**
 * Whether a record is held back, as a control, from a task that would have seen it. The answer is the same for the same
 * record, task and share on any machine. A larger share holds back everything that a smaller one does, and more.
 */
export function holdBack(lesson: string, task: string, share: number): boolean {
  const digest = createHash("sha256").update(`${lesson.length}:${lesson}\0${task}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48 < share;
}
