import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";

/**
 * A part of a file that has nothing smaller to change (an import, a class without a body of its own) is taken away as a
 * whole: who needs it notices.
 */
export function removalMutant({ path, content }: SourceFile, { from: first, to: last }: LineRange): Mutant | null {
  const lines = content.split("\n");
  const own = lines.slice(first - 1, last).join("\n");
  if (own.trim() === "") return null;
  const from = lines.slice(0, first - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const indent = /^[ \t]*/.exec(own)?.[0] ?? "";
  const replacement = path.endsWith(".py") ? `${indent}pass` : "";
  return {
    id: `${path}:${first}:removal:1`,
    path,
    line: first,
    statement: { from: first, to: last },
    operator: "removal",
    from,
    to: from + own.length,
    replacement,
    description: `\`${own.trim().split("\n")[0]?.slice(0, 60)}\` → nothing`,
  };
}
