import type { Message } from "../../domain/message.ts";

const READS = new Set(["read_file"]);
const WRITES = new Set(["create_file", "edit_file", "delete_file"]);

/** Replaces an old view of a file by a note if the file was read again or changed since. The old view would mislead. */
export function staleReads(messages: readonly Message[], kept: number): Message[] {
  const subjects = subjectsOf(messages);
  return messages.map((message, at) => {
    if (at < kept || message.role !== "tool" || !READS.has(message.name)) return message;
    const subject = subjects.get(message.callId);
    if (subject === undefined || message.content.length < 200) return message;
    const later = messages.slice(at + 1).some((other) => {
      if (other.role !== "tool") return false;
      const its = subjects.get(other.callId);
      if (its?.path !== subject.path) return false;
      // A view of another part of the same file does not replace this one.
      return WRITES.has(other.name) || (READS.has(other.name) && its.part === subject.part);
    });
    if (!later) return message;
    return Object.freeze({
      ...message,
      content: `(an older view of ${subject.path}: it was read again or changed later)`,
    });
  });
}

/** The file, and the part of it, that each call was about. */
function subjectsOf(messages: readonly Message[]): Map<string, { path: string; part: string }> {
  const subjects = new Map<string, { path: string; part: string }>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls) {
      const subject = subjectOf(call.arguments);
      if (subject) subjects.set(call.id, subject);
    }
  }
  return subjects;
}

function subjectOf(text: string): { path: string; part: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("path" in value) || typeof value.path !== "string")
    return undefined;
  const from = "fromLine" in value ? value.fromLine : 1;
  const lines = "lines" in value ? value.lines : "all";
  return { path: value.path, part: `${String(from)}+${String(lines)}` };
}
