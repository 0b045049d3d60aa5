import { createHash } from "node:crypto";

/**
 * Whether a record is kept from a task that would have seen it, as its control. The same answer for the same record, task
 * and share, on any machine; a larger share holds back all that a smaller one does, and more.
 */
export function holdBack(lesson: string, task: string, share: number): boolean {
  const digest = createHash("sha256").update(`${lesson.length}:${lesson}\0${task}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48 < share;
}
