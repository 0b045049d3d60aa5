import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";

/** A part of a file, as `slice` takes it. */
interface RemovedPart {
  kind: "class" | "statement" | "import" | "docs";
  from: number;
  to: number;
  span: { start: number; end: number };
}

/**
 * A part that has nothing smaller to change (an import, the head of a class) is taken away as a whole, or given a name
 * that nobody knows: who needs it notices.
 */
export function removalMutant({ path, content }: SourceFile, part: RemovedPart): Mutant | null {
  const { start, end } = part.span;
  const own = content.slice(start, end);
  if (own.trim() === "") return null;
  const { from: line, to } = part;
  const isFirst = /\bimport\s*$/.test(content.slice(0, start));
  const replacement = withoutIt(own, part.kind, { isPython: path.endsWith(".py"), isFirst });
  if (replacement === own) return null;
  return {
    ...{ id: `${path}:${line}:removal:${start}`, path, line, statement: { from: line, to }, operator: "removal" },
    ...{ from: start, to: end, replacement, description: `\`${own.trim().split("\n")[0]?.slice(0, 60)}\` → nothing` },
  };
}

const GONE = "gone_without_it";

/** `isFirst`: the name stands right behind `import`, where JavaScript has the default one. */
function withoutIt(
  own: string,
  kind: RemovedPart["kind"],
  { isPython, isFirst }: { isPython: boolean; isFirst: boolean },
): string {
  if (kind === "class") return own.replace(/\bclass\s+[\p{ID_Start}$_][\p{ID_Continue}$]*/u, `class ${GONE}`);
  const isName = kind === "import" && !/^\s*(from|import|export|const|let|var)\b/.test(own) && own.trim() !== "*";
  if (!isName) return isPython ? "pass" : ";";
  if (!isPython && isFirst && /^[\w$]+$/.test(own)) return GONE;
  return `${own.replace(/\s+as\s+[\w$]+\s*$/, "")} as ${GONE}`;
}
