import { z } from "zod";
import type { Memory } from "./memory.ts";
import { NewLesson, NewPattern } from "./new-record.ts";

export interface ImportResult {
  lines: number;
  kept: number;
  /** Records that were already known by their signature. */
  merged: number;
  /** Records that got the person's scope instead of the scope in their line. */
  elsewhere: number;
  refused: { line: number; reason: string }[];
  /** The id of each line's record. For a merged line it is the id of the existing record. */
  records: { line: number; id: string }[];
}

const Line = z.union([NewPattern, NewLesson]);
const BATCH = 200;
const LONGEST_LINE = 1 << 20;

/**
 * Keeps records from JSON lines. Each line is checked separately: a bad line is refused and reported, the others are
 * kept. They keep their origin and have no trust yet. Unknown fields are ignored, so that the output of `export` can be
 * read.
 */
export async function importLines(
  memory: Memory,
  lines: AsyncIterable<string>,
  origin: string,
  place: Pick<z.infer<typeof NewLesson>, "scope" | "project">,
): Promise<ImportResult> {
  const result: ImportResult = { lines: 0, kept: 0, merged: 0, elsewhere: 0, refused: [], records: [] };
  let batch: { line: number; record: z.infer<typeof Line> }[] = [];
  const flush = async () => {
    const records = batch.map(({ record }) => record);
    for (const [at, { isNew, record }] of (await memory.keep(records, { origin: `imported:${origin}` })).entries()) {
      result[isNew ? "kept" : "merged"] += 1;
      result.records.push({ line: batch[at]?.line ?? 0, id: record.id });
    }
    batch = [];
  };
  for await (const text of lines) {
    result.lines += 1;
    if (text.trim() === "") continue;
    const read = readRecordLine(text);
    if ("reason" in read) result.refused.push({ line: result.lines, reason: read.reason });
    else {
      // A record of another project does not belong to this one, and a file must not decide who trusts it. The person
      // decides.
      if (read.record.scope !== "project" && read.record.scope !== place.scope) result.elsewhere += 1;
      batch.push({ line: result.lines, record: { ...read.record, ...place, task: "" } });
    }
    if (batch.length >= BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return result;
}

export function readRecordLine(text: string): { record: z.infer<typeof Line> } | { reason: string } {
  if (text.length > LONGEST_LINE) return { reason: "longer than 1 MB" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: "not JSON" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { reason: "not an object" };
  const schema = "kind" in value && value.kind === "pattern" ? NewPattern : NewLesson;
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const [issue] = parsed.error.issues;
  return { reason: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not a record"}` };
}
