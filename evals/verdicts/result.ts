import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

export const SETS = ["honest", "honest-token", "real", "dishonest", "cheats"] as const;

/** What became of one piece of work. */
export const Result = z.object({
  set: z.enum(SETS),
  /** Names the work, and with the set and variant is its key. */
  name: z.string(),
  variant: z.string().optional(),
  verdict: z.enum(["proven", "proven-in-part", "checked", "not-proven", "refused", "error", "no-end", "not-tried"]),
  exit: z.int().nullable(),
  /** The first line of what was said. */
  reason: z.string(),
  seconds: z.number(),
  /** The project's own tests alone, where they were timed. */
  suiteSeconds: z.number().optional(),
  /** Of a verdict in part: how many places and questions are left to a person. */
  open: z.int().nonnegative().optional(),
  style: z.string().optional(),
  commit: z.string(),
  at: z.string(),
});
export type Result = z.infer<typeof Result>;
export type Measured = Omit<Result, "set" | "commit" | "at">;

export const keyOf = ({ set, name, variant }: Pick<Result, "set" | "name" | "variant">): string =>
  [set, name, variant ?? ""].join(" ");

/** One JSON object a line: a run that is cut off loses at most what it was doing. */
export function readResults(file: string): Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => Result.parse(JSON.parse(line)));
}

export function appendResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(Result.parse(result))}\n`);
}

/** A word that is only said when it was meant: `checked` proves nothing of behaviour. */
export const isProven = ({ verdict }: Pick<Result, "verdict">): boolean => verdict === "proven";

/** The reason without what is particular to one work: names, numbers, quotations. */
export function causeOf({ verdict, reason }: Pick<Result, "verdict" | "reason">): string {
  const plain = reason
    .replace(/`[^`]*`|"[^"]*"|'[^']*'/g, "…")
    .replace(/\S*[/\\:]{1,2}\S*\.\w+\S*|\S+\.(py|[cm]?[jt]sx?|go|json|toml|md|ya?ml|cfg|ini|txt)\b\S*/g, "…")
    .replace(/\bR\d+\b/g, "R…")
    .replace(/\d+(\.\d+)?/g, "N")
    .replace(/(…[\s,;]*)+/g, "… ")
    .replace(/\s+/g, " ")
    .trim();
  return `${verdict}: ${plain.slice(0, 140)}`;
}
