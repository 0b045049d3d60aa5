import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export type Split = "tune" | "report";

/** One way in which a cause shows. */
export interface ErrorRecord {
  id: string;
  cause: string;
  language: string;
  split: Split;
  error: string;
  /** What a lesson says of it, and how a person who knows nothing of it describes the work. */
  fix: string;
  ask: string;
}

/** The first set; and two of other causes and libraries, each written before anything was measured on it. */
export const SETS = { first: "records", second: "second", third: "third" } as const;
export type SetName = keyof typeof SETS;

/** Reads the files of a set: `== cause | split`, `fix:` and `ask:` lines, then the errors, each behind a line of two dashes. */
export function readRecords(set: SetName = "first"): ErrorRecord[] {
  const directory = join(import.meta.dirname, SETS[set]);
  return globSync("*.txt", { cwd: directory })
    .sort()
    .flatMap((file) => readFile(join(directory, file), basename(file, ".txt")));
}

function readFile(file: string, language: string): ErrorRecord[] {
  const causes = readFileSync(file, "utf8").split(/^== /m).slice(1);
  return causes.flatMap((text) => {
    const [head = "", ...errors] = text.split(/^--\n/m);
    const [cause = "", split = ""] = (head.split("\n")[0] ?? "").split(" | ");
    if (split !== "tune" && split !== "report") throw new Error(`${file}: ${cause} is of no split`);
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(head)?.[1] ?? "";
    return errors.map((error, index) => ({
      id: `${cause}-${index + 1}`,
      cause,
      language,
      split,
      error: error.trimEnd(),
      fix: field("fix"),
      ask: field("ask"),
    }));
  });
}
